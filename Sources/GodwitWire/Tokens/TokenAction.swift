/// What a ``TokenRefresh`` wants done.
package enum TokenAction<Value: Sendable>: Sendable {
    /// Read the store, and tell what was there.
    case read
    /// Refresh this token, and tell the outcome under this number.
    case refresh(attempt: UInt64, TokenRefresh<Value>.Issue)
    /// Keep this token.
    case save(Value)
    /// Keep none.
    case clear
    /// Let these waiters go.
    case resume([UInt64], TokenOutcome<Value>)
}
