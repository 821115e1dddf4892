#if os(Linux)
// Programs that import the fleet also need the types that it works on.
@_exported public import GodwitCore
#endif
