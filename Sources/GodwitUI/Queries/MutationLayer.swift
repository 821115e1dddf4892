import GodwitCore

/// The mutation whose request a task sends.
enum SentMutation {
    @TaskLocal static var layer: MutationLayer?
}

/// A mutation whose outcome isn't known, and what it makes of the values of a store.
@MainActor
final class MutationLayer {
    /// How far a mutation is.
    enum Stage {
        /// In an outbox, until there is a network.
        case queued
        /// Waiting for an earlier one, or about to be sent.
        case waiting
        /// On its way to the server.
        case sending
        case over
    }

    private(set) var stage: Stage
    /// Applies the mutation to values. Called again whenever their base changes.
    let change: @MainActor (QueryChanges) -> Void
    /// The parts that it changed.
    private(set) var touched: [ObjectIdentifier: any QueryPart] = [:]
    /// The parts whose value came from the server with its response.
    var confirmed: Set<ObjectIdentifier> = []
    /// The parts that it gave another value.
    var changed: Set<ObjectIdentifier> = []
    /// The value that it changes only in the version that was loaded.
    var subject: (any QueryPart)?
    private var closed: [any QueryPart] = []

    init(stage: Stage = .waiting, _ change: @escaping @MainActor (QueryChanges) -> Void) {
        self.stage = stage
        self.change = change
    }

    func touch(_ part: any QueryPart) {
        guard touched.updateValue(part, forKey: ObjectIdentifier(part)) == nil else { return }
        if stage == .sending { close(part) }
    }

    func wait() { stage = .waiting }

    /// Loads of the parts wait from here on.
    func send() {
        stage = .sending
        for part in touched.values { close(part) }
    }

    /// The outcome isn't known, and the mutation waits to be sent again.
    func queue() {
        stage = .queued
        openGates()
    }

    func end() {
        stage = .over
        openGates()
    }

    private func close(_ part: any QueryPart) {
        part.gate.close()
        closed.append(part)
    }

    private func openGates() {
        for part in closed { part.gate.open() }
        closed = []
    }

    /// Whether this one is to be sent before another.
    func precedes(_ other: MutationLayer) -> Bool {
        switch stage {
        case .queued, .over: false
        case .waiting, .sending: touched.keys.contains { other.touched[$0] != nil }
        }
    }
}
