public import GodwitCore

/// A mutation in an ``Outbox``.
public struct OutboxItem: Identifiable, Sendable {
    /// Whether a mutation waits, is being sent, or needs a decision.
    public enum State: Sendable, Hashable {
        /// The mutation waits for the network, for the end of a pause after a failure, or for an earlier one of its
        /// scope.
        case waiting
        /// The mutation is being sent.
        case sending
        /// The server has another version (409, 412). The effect is undone, and the server's version loaded.
        case conflict
        /// The server refused it. The effect is undone.
        case failed
    }

    /// Identifies the mutation in its outbox.
    public let id: String

    /// The mutation; `nil` if its file can't be read, or is of a type that the outbox doesn't send.
    public let mutation: (any OutboxMutation)?

    /// When the mutation was added.
    public let date: Date

    /// Whether the mutation waits, is being sent, or needs a decision.
    public internal(set) var state: State

    /// Why it waits, or was refused; `nil` before the first attempt.
    public internal(set) var error: NetworkError?

    /// How often it was sent since the outbox was made.
    public internal(set) var attempts: Int

    /// Whether it waits for a decision: ``Outbox/retry(_:)``, ``Outbox/replace(_:with:)`` or ``Outbox/discard(_:)``.
    public var needsDecision: Bool { state == .conflict || state == .failed }
}
