// Godwit re-exports the client, sign-in, signatures, background transfers, disk stores, and the platform's engine.
@_exported public import GodwitBackground
@_exported public import GodwitCore
@_exported public import GodwitOAuth
@_exported public import GodwitSigning
@_exported public import GodwitStorage
#if os(Linux)
@_exported public import GodwitSockets
#endif
#if canImport(Darwin)
@_exported public import GodwitURLSession
#endif
