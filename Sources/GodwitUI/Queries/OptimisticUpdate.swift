import GodwitCore

/// The mutation whose request a task sends.
enum SentMutation {
    @TaskLocal static var update: OptimisticUpdate?
}

/// A mutation whose outcome isn't known, and what it makes of the values of a store.
@MainActor
final class OptimisticUpdate {
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
    /// The values that it changed.
    private(set) var touched: [ObjectIdentifier: any CachedValue] = [:]
    /// The values that it changed as a whole, or in an unknown way.
    private var whole: Set<ObjectIdentifier> = []
    /// The elements that it changes or removes, wherever they are, and whether the store has them or not.
    private var elements: Set<ElementKey> = []
    /// The values whose value came from the server with its response.
    var confirmed: Set<ObjectIdentifier> = []
    /// The values that it gave another value.
    var changed: Set<ObjectIdentifier> = []
    /// Whether an earlier attempt may have been applied: the response may be that of then.
    var isRepeated = false
    /// The value that it changes only in the version that was loaded.
    var subject: (any CachedValue)?
    /// What loads of the values wait for while it is sent.
    private var scopes: [ObjectIdentifier: Set<MutationHistory.Scope>] = [:]
    /// The values that know it is being sent.
    private var registered: [(cached: any CachedValue, scope: MutationHistory.Scope)] = []
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

    func touch(_ cached: any CachedValue) {
        add(cached, .whole)
        whole.insert(ObjectIdentifier(cached))
    }

    /// Notes that only one element of the value is changed: mutations of other elements don't wait.
    ///
    /// - Parameter scope: What loads of the value wait for.
    func touch(_ cached: any CachedValue, _ scope: MutationHistory.Scope) { add(cached, scope) }

    /// Notes an element. Mutations of it are ordered, even if the store has no value with it: the response of an earlier one
    /// would show again what a later one removes.
    func touch(_ element: ElementKey) { elements.insert(element) }

    private func add(_ cached: any CachedValue, _ scope: MutationHistory.Scope) {
        touched[ObjectIdentifier(cached)] = cached
        guard scopes[ObjectIdentifier(cached), default: []].insert(scope).inserted else { return }
        if stage == .sending { register(cached, scope) }
    }

    func wait() {
        if stage != .over { stage = .waiting }
    }

    /// Loads of the values wait from here on, unless it is over: nothing would end their wait.
    func send() {
        guard stage != .over else { return }
        stage = .sending
        for (id, cached) in touched {
            for scope in scopes[id, default: []] { register(cached, scope) }
        }
    }

    /// The outcome isn't known, and the mutation waits to be sent again.
    func queue() {
        guard stage != .over else { return }
        stage = .queued
        endMutations()
    }

    func end() {
        stage = .over
        endMutations()
    }

    private func register(_ cached: any CachedValue, _ scope: MutationHistory.Scope) {
        cached.loads.send(.mutationBegan(scope))
        registered.append((cached, scope))
    }

    private func endMutations() {
        for (cached, scope) in registered { cached.loads.send(.mutationEnded(scope)) }
        registered = []
    }

    /// Whether this one is to be sent before another.
    func precedes(_ other: OptimisticUpdate) -> Bool {
        switch stage {
        case .queued, .event, .over: false
        case .waiting, .sending:
            !elements.isDisjoint(with: other.elements) || touched.keys.contains { overlaps(other, in: $0) }
        }
    }

    /// Whether it may change a value, or other values because of it.
    func concerns(_ cached: any CachedValue, _ key: QueryKey?) -> Bool {
        touched[ObjectIdentifier(cached)] != nil || reads.concern(cached, key)
    }

    /// Whether it changes elements of a value one by one, and each of them whatever other values are.
    func isByElement(in cached: any CachedValue) -> Bool {
        !whole.contains(ObjectIdentifier(cached)) && !reads.influence(cached)
    }

    private func overlaps(_ other: OptimisticUpdate, in id: ObjectIdentifier) -> Bool {
        other.touched[id] != nil && (whole.contains(id) || other.whole.contains(id))
    }
}

/// Identifies an element of lists and values, or the order of a list.
struct ElementKey: Hashable {
    private let type: ObjectIdentifier
    private let id: AnyHashable

    init<Element: Identifiable>(_ type: Element.Type, _ id: Element.ID) {
        self.type = ObjectIdentifier(type)
        self.id = AnyHashable(id)
    }

    /// The key of a list's order.
    init(orderOf list: AnyObject) {
        type = ObjectIdentifier(Swift.type(of: list))
        id = AnyHashable(ObjectIdentifier(list))
    }

    /// The key of a value; `nil` if it has no ID.
    init?(_ value: some Any) {
        guard let value = value as? any Identifiable else { return nil }
        self = value.elementKey
    }
}

extension Identifiable {
    fileprivate var elementKey: ElementKey { ElementKey(Self.self, id) }
}
