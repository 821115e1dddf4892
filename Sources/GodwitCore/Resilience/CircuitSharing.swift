/// Tells the circuits of a ``CircuitBreaker`` to those of other processes, and the other way round.
///
/// ```swift
/// $0.circuitBreaker = CircuitBreaker.Options()
/// $0.sharedCircuits = sharing
/// ```
///
/// Each process decides by its own circuits. A change of one is applied to the others.
public protocol CircuitSharing: AnyObject, Sendable {
    /// Receives a change of a circuit in this process. Must not block.
    func publish(_ change: CircuitChange, of origin: Origin)

    /// Whether this process may send a probe now. Must return within a short time.
    ///
    /// - Parameters:
    ///   - origin: The origin whose circuit was open.
    ///   - pause: How long no other process may send one, unless the outcome is published before.
    func mayProbe(_ origin: Origin, for pause: Duration) async -> Bool

    /// Calls a closure for each change in another process, for as long as this object exists.
    func observe(_ onChange: @escaping @Sendable (Origin, CircuitChange) -> Void)
}

/// A change of one origin's circuit.
public enum CircuitChange: Sendable, Hashable {
    /// Calls are not sent for this time.
    case opened(Duration)
    /// A probe succeeded: calls are sent again.
    case closed
}
