/// Why a ``CircuitBreaker`` did not let a call through: the ``NetworkError/underlying`` of what it throws.
///
/// ```swift
/// if let open = error.underlying as? CircuitOpen { show("again in \(open.retryAfter ?? .zero)") }
/// ```
public struct CircuitOpen: Error, Sendable, Hashable {
    /// Whose calls are not let through.
    public let origin: Origin

    /// How long until the next call may try; nil while one is trying.
    public let retryAfter: Duration?

    /// Makes the reason.
    ///
    /// - Parameters:
    ///   - origin: Whose calls are not let through.
    ///   - retryAfter: How long until the next may try; nil while one is trying.
    public init(origin: Origin, retryAfter: Duration?) {
        self.origin = origin
        self.retryAfter = retryAfter
    }
}

extension CircuitOpen: CustomStringConvertible, LocalizedError {
    /// Whose calls are not let through, and for how long.
    public var description: String {
        let when = retryAfter.map { "in \($0)" } ?? "when a call that tries succeeds"
        return "\(origin) failed too often; calls go through again \(when)"
    }

    /// What `localizedDescription` says: ``description``.
    public var errorDescription: String? { description }
}
