/// Why a refresh brought no token.
package enum TokenFailure: Error, Sendable, Hashable {
    /// The server does not accept the refresh token.
    case rejected
    /// Something that may pass, such as a lost connection.
    case passing
}
