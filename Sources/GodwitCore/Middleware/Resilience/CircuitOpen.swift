/// Why a ``CircuitBreaker`` did not let a call through: the ``NetworkError/underlying`` of what it throws.
public struct CircuitOpen: Error, Sendable, Hashable {
    /// Whose calls are not let through.
    public let origin: Origin

    /// How long until the next call may try; nil while one is trying.
    public let retryAfter: Duration?

    /// Makes the reason.
    public init(origin: Origin, retryAfter: Duration?) {
        self.origin = origin
        self.retryAfter = retryAfter
    }
}
