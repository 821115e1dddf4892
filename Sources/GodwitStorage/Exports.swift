// Programs that import the stores also need the types that they store.
@_exported public import GodwitCore
