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
        /// Not sent, as it came from the server.
        case event
        case over
    }

    private(set) var stage: Stage
    private let change: @MainActor (QueryChanges) -> Void
    /// The parts that it changed.
    private(set) var touched: [ObjectIdentifier: any QueryPart] = [:]
    /// The parts that it changed as a whole, or in an unknown way.
    private var whole: Set<ObjectIdentifier> = []
    /// The elements that it changed in the others.
    private var elements: [ObjectIdentifier: Set<AnyHashable>] = [:]
    /// The parts whose value came from the server with its response.
    var confirmed: Set<ObjectIdentifier> = []
    /// The parts that it gave another value.
    var changed: Set<ObjectIdentifier> = []
    /// Whether an earlier attempt may have been applied: the response may be that of then.
    var isRepeated = false
    /// The value that it changes only in the version that was loaded.
    var subject: (any QueryPart)?
    /// What loads of the parts wait for while it is sent.
    private var scopes: [ObjectIdentifier: Set<MutationHistory.Scope>] = [:]
    private var closed: [(part: any QueryPart, scope: MutationHistory.Scope)] = []
    /// What it has looked at.
    var reads = QueryReads()
    /// The paths that its request changed, whose values become stale when it is known what the mutation sets.
    var paths: Set<String> = []

    init(stage: Stage = .waiting, _ change: @escaping @MainActor (QueryChanges) -> Void) {
        self.stage = stage
        self.change = change
    }

    /// Applies the mutation to values. Called again whenever their base changes.
    func apply(to changes: QueryChanges) {
        reads.begin()
        change(changes)
    }

    func touch(_ part: any QueryPart) {
        add(part, .whole)
        whole.insert(ObjectIdentifier(part))
    }

    /// Notes that only one element of the part is changed: mutations of other elements don't wait.
    ///
    /// - Parameter scope: What loads of the part wait for.
    func touch(_ part: any QueryPart, element: AnyHashable, _ scope: MutationHistory.Scope) {
        add(part, scope)
        elements[ObjectIdentifier(part), default: []].insert(element)
    }

    private func add(_ part: any QueryPart, _ scope: MutationHistory.Scope) {
        touched[ObjectIdentifier(part)] = part
        guard scopes[ObjectIdentifier(part), default: []].insert(scope).inserted else { return }
        if stage == .sending { close(part, scope) }
    }

    func wait() {
        if stage != .over { stage = .waiting }
    }

    /// Loads of the parts wait from here on, unless it is over: nothing would end their wait.
    func send() {
        guard stage != .over else { return }
        stage = .sending
        for (id, part) in touched {
            for scope in scopes[id, default: []] { close(part, scope) }
        }
    }

    /// The outcome isn't known, and the mutation waits to be sent again.
    func queue() {
        guard stage != .over else { return }
        stage = .queued
        openGates()
    }

    func end() {
        stage = .over
        openGates()
    }

    private func close(_ part: any QueryPart, _ scope: MutationHistory.Scope) {
        part.loads.send(.mutationBegan(scope))
        closed.append((part, scope))
    }

    private func openGates() {
        for (part, scope) in closed { part.loads.send(.mutationEnded(scope)) }
        closed = []
    }

    /// Whether this one is to be sent before another.
    func precedes(_ other: MutationLayer) -> Bool {
        switch stage {
        case .queued, .event, .over: false
        case .waiting, .sending: touched.keys.contains { overlaps(other, in: $0) }
        }
    }

    /// Whether it may change a part, or other values because of it.
    func concerns(_ part: any QueryPart, _ key: QueryKey?) -> Bool {
        touched[ObjectIdentifier(part)] != nil || reads.concern(part, key)
    }

    /// Whether it changes elements of a part one by one, and each of them whatever other values are.
    func isByElement(in part: any QueryPart) -> Bool {
        !whole.contains(ObjectIdentifier(part)) && !reads.influence(part)
    }

    private func overlaps(_ other: MutationLayer, in part: ObjectIdentifier) -> Bool {
        guard other.touched[part] != nil else { return false }
        if whole.contains(part) || other.whole.contains(part) { return true }
        return !elements[part, default: []].isDisjoint(with: other.elements[part, default: []])
    }
}
