// The umbrella: whoever imports Godwit has the client and the transport that suits the platform.
@_exported public import GodwitCore
