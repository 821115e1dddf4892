// The public API of Core uses the values of these modules.
@_exported public import GodwitJSON
@_exported public import GodwitWire
