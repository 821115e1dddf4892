public import GodwitCore

/// The values of a ``QueryStore``, for a mutation to change.
///
/// ```swift
/// try await queries.mutate(.delete(id: 7)) { changes in
///     changes.remove(Article.self, id: 7)  // from all lists and values
///     changes[.statistics]?.articles -= 1
/// }
/// ```
///
/// Only the closure that gets it should use it.
@MainActor
public struct QueryChanges {
    enum Target {
        /// What screens show until the outcome is known.
        case draft
        /// The same, for new elements at the end of a list only: the others and all other values show it already.
        case end(of: ObjectIdentifier)
        /// What the server confirmed.
        case confirmed(ConfirmedOrigin)

        var isEnd: Bool { if case .end = self { true } else { false } }
    }

    let store: QueryStore
    let mutation: OptimisticUpdate
    let target: Target

    init(_ store: QueryStore, _ mutation: OptimisticUpdate, _ target: Target) {
        self.store = store
        self.mutation = mutation
        self.target = target
    }

    /// The value of an endpoint; `nil` if the store has none. Set `nil` if the value doesn't exist any more.
    ///
    /// ```swift
    /// changes[.article(id: 42)]?.title = title
    /// ```
    public subscript<Value: Sendable>(endpoint: Endpoint<Value>) -> Value? {
        get {
            guard let identity = try? store.api.modelIdentity(of: endpoint) else { return nil }
            mutation.reads.addValue(QueryKey(identity, Query<Value>.self))
            return (store.entry(identity, of: Query<Value>.self)?.cached as? Query<Value>).flatMap { value(of: $0) }
        }
        nonmutating set {
            guard !target.isEnd, let identity = try? store.api.modelIdentity(of: endpoint) else { return }
            let isKnown = store.entry(identity, of: Query<Value>.self) != nil
            guard isKnown || newValue != nil, mutation.stage != .over else { return }
            set(newValue, of: store.query(endpoint).query)
        }
    }

    /// The elements of a list. Of elements with the same ID, the first stays.
    ///
    /// ```swift
    /// changes[list].swapAt(0, 1)
    /// ```
    ///
    /// The list need not be of this store. While the mutation is pending, it is applied to the whole list whenever a page is
    /// added: use ``insert(_:at:in:)``, ``update(_:id:_:)`` and ``remove(_:id:)`` where they suffice.
    public subscript<Item: Identifiable & Sendable>(list: PageLoader<Item>) -> [Item] {
        get {
            mutation.reads.addList(list.list)
            return items(of: list.list)
        }
        nonmutating set { set(newValue, of: list.list) }
    }

    /// Inserts an element in a list. Of elements with the same ID, the first stays.
    ///
    /// ```swift
    /// changes.insert(article, in: list)
    /// ```
    ///
    /// - Parameters:
    ///   - item: The element.
    ///   - index: Its index: 0, the default, for the first one. With a larger one than there are, it becomes the last one.
    ///   - list: The list, which need not be of this store.
    public func insert<Item: Identifiable & Sendable>(_ item: Item, at index: Int = 0, in list: PageLoader<Item>) {
        insert(item, at: max(index, 0), of: list.list)
    }

    /// Changes an element in all lists and values of the store, arrays included.
    ///
    /// ```swift
    /// changes.update(Article.self, id: 42) { $0.title = title }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value, or of the elements of the list.
    ///   - id: The ID of the element.
    ///   - change: Changes it.
    public func update<Element: Identifiable & Sendable>(
        _ type: Element.Type, id: Element.ID, _ change: (inout Element) -> Void
    ) {
        replace(Element.self, id: id, orNote: .unknown) { element in
            var element = element
            change(&element)
            return element
        }
    }

    /// Removes an element from all lists and values of the store, arrays included.
    ///
    /// - Parameters:
    ///   - type: The type of the value, or of the elements of the list.
    ///   - id: The ID of the element.
    public func remove<Element: Identifiable & Sendable>(_ type: Element.Type, id: Element.ID) {
        replace(Element.self, id: id, orNote: .removed) { _ in nil }
    }
}

// Values and lists.
extension QueryChanges {
    func note<Value>(_ query: Query<Value>, _ isChanged: @escaping @MainActor (Value) -> Bool) {
        if case .confirmed = target { query.noteChange(isEvent: mutation.stage == .event, isChanged) }
    }

    func value<Value>(of query: Query<Value>) -> Value? {
        switch target {
        case .draft: query.draftValue
        case .end: query.state.value
        case .confirmed: query.value
        }
    }

    /// - Parameter isWhole: Whether more than one element changes.
    func set<Value>(_ value: Value?, of query: Query<Value>, isWhole: Bool = true) {
        // The account changed while the mutation was applied.
        guard mutation.stage != .over, !target.isEnd else { return }
        if isWhole {
            touch(query)
            for value in [self.value(of: query), value] {
                if let element = value.flatMap({ ElementKey($0) }) { mutation.touch(element) }
            }
        } else {
            store.touch(query, by: mutation)
            mutation.touch(query, .whole)
        }
        switch target {
        case .draft: query.draftValue = value
        case .end: break
        case .confirmed(.server) where mayBeOlder(query): break
        case .confirmed(let origin):
            if mutation.stage == .event { query.loads.send(.serverEvent) }
            query.confirm(value, by: origin)
            if origin == .server { mutation.confirmed.insert(ObjectIdentifier(query)) }
        }
    }

    /// Whether what the response of a mutation says may be older than the value. Events are as new as they can be.
    func mayBeOlder(_ cached: some CachedValue) -> Bool {
        mutation.isRepeated || cached.loads.machine.freshness == .conflicting && mutation.stage != .event
    }

    private func touch(_ cached: some CachedValue) {
        store.touch(cached, by: mutation)
        mutation.touch(cached)
    }

    private func items<Item>(of list: PageList<Item>) -> [Item] {
        switch target {
        case .draft: list.draftItems
        case .end(let id): id == ObjectIdentifier(list) ? list.draftItems : list.items
        case .confirmed: list.base
        }
    }

    private func set<Item>(_ items: [Item], of list: PageList<Item>) {
        guard mutation.stage != .over else { return }
        touch(list)
        replace(items, of: list)
    }

    private func replace<Item>(_ items: [Item], of list: PageList<Item>) {
        switch target {
        case .draft: list.draft.set(items)
        // Known from now on: the mutation is applied to the whole list.
        case .end: break
        // What the list has may be newer. What was inserted or removed is as the response says.
        case .confirmed(.server) where mayBeOlder(list): list.confirm(items.keeping(list.base))
        case .confirmed(let origin):
            list.confirm(items)
            // Elements may have moved: a page that is on its way may skip some.
            if mutation.stage == .event { list.loads.send(.serverEvent) }
            if origin == .server { mutation.confirmed.insert(ObjectIdentifier(list)) }
        }
    }
}

// Insertions.
extension QueryChanges {
    private func insert<Item>(_ item: Item, at index: Int, of list: PageList<Item>) {
        if target.isEnd { return removeFromEnd(item.id, of: list) }
        var items = items(of: list)
        // At the end, it moves with each page.
        let isLast = index >= items.count && !items.isEmpty
        items.insert(item, at: min(index, items.count))
        if isLast { return set(items, of: list) }
        guard mutation.stage != .over else { return }
        store.touch(list, by: mutation)
        mutation.touch(list, .whole)
        mutation.touch(ElementKey(Item.self, item.id))
        // The server's list has the elements in the order of the requests.
        mutation.touch(ElementKey(orderOf: list))
        mutation.reads.noteChange(of: list)
        replace(items, of: list)
    }

    /// The inserted element is before the new page, which may have it too.
    private func removeFromEnd<Item>(_ id: Item.ID, of list: PageList<Item>) {
        guard case .end(of: ObjectIdentifier(list)) = target,
            let index = list.draftItems.firstIndex(where: { $0.id == id })
        else { return }
        list.draft.set(nil, at: index, of: list.base)
    }
}

extension Array where Element: Identifiable {
    /// The same IDs, with the elements that are already known.
    fileprivate func keeping(_ known: [Element]) -> [Element] {
        let known = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        return map { known[$0.id] ?? $0 }
    }
}
