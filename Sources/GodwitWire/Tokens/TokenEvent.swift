/// What a ``TokenRefresh`` is told.
package enum TokenEvent<Value: Sendable>: Sendable {
    /// A request needs a token.
    case tokenNeeded(UInt64)
    /// The server answered 401 to a token; the waiter, if there is one, wants another.
    case tokenRefused(generation: UInt64, waiter: UInt64?)
    /// The server answered 401 again, to the token that replaced a refused one.
    case replacementRefused(generation: UInt64)
    /// A token will expire soon.
    case expiryNear(generation: UInt64)
    /// A token has expired.
    case expired(generation: UInt64)
    /// The store was read; nil where it holds nothing.
    case read(Value?)
    /// The store could not be read.
    case readFailed
    /// A refresh brought a token.
    case refreshed(attempt: UInt64, Value)
    /// A refresh brought none.
    case refreshFailed(attempt: UInt64, TokenFailure)
    /// A waiter does not wait any more.
    case cancelled(UInt64)
    /// Someone signed in, or out.
    case replaced(Value?)
}
