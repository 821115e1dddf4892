/// What a waiter of a ``TokenRefresh`` gets.
package enum TokenOutcome<Value: Sendable>: Sendable {
    /// A token.
    case token(TokenRefresh<Value>.Issue)
    /// None, and trying again does not help: someone has to sign in.
    case unauthorized
    /// None, for a reason that may pass.
    case failed
}
