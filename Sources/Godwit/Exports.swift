// The umbrella: whoever imports Godwit has the client, background transfers, the stores on disk, and the engine that suits
// the platform.
@_exported public import GodwitBackground
@_exported public import GodwitCore
@_exported public import GodwitStorage
#if canImport(GodwitCurl)
@_exported public import GodwitCurl
#endif
#if canImport(Darwin)
@_exported public import GodwitURLSession
#endif
