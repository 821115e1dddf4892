// The umbrella: whoever imports Godwit has the client, and the engine that suits the platform.
@_exported public import GodwitCore
#if canImport(GodwitCurl)
@_exported public import GodwitCurl
#endif
