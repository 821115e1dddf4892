// The public surface of Core speaks in Wire's values, so whoever imports Core reads both.
@_exported public import GodwitWire
