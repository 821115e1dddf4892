// Godwit re-exports the client, stores and keyrings, and the platform's engine.
@_exported public import GodwitCore
@_exported public import GodwitStorage
#if os(Linux)
@_exported public import GodwitSockets
#endif
#if canImport(Darwin)
@_exported public import GodwitURLSession
#endif
