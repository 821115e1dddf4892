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
        /// What the server confirmed.
        case confirmed(ConfirmedOrigin)
    }

    private let store: QueryStore
    private let layer: MutationLayer
    private let target: Target

    init(_ store: QueryStore, _ layer: MutationLayer, _ target: Target) {
        (self.store, self.layer, self.target) = (store, layer, target)
    }

    /// The value of an endpoint; `nil` if the store has none. Set `nil` if the value doesn't exist any more.
    ///
    /// ```swift
    /// changes[.article(id: 42)]?.title = title
    /// ```
    public subscript<Value: Sendable>(endpoint: Endpoint<Value>) -> Value? {
        get {
            guard let identity = try? store.api.modelIdentity(of: endpoint) else { return nil }
            return (store.entry(identity, of: Query<Value>.self)?.part as? Query<Value>).flatMap { value(of: $0) }
        }
        nonmutating set {
            guard let identity = try? store.api.modelIdentity(of: endpoint) else { return }
            let isKnown = store.entry(identity, of: Query<Value>.self) != nil
            guard isKnown || newValue != nil, layer.stage != .over else { return }
            set(newValue, of: store.query(endpoint).query)
        }
    }

    /// The elements of a list. Of elements with the same ID, the first stays.
    ///
    /// ```swift
    /// changes[list].insert(article, at: 0)
    /// ```
    ///
    /// The list need not be of this store.
    public subscript<Item: Identifiable & Sendable>(list: PageLoader<Item>) -> [Item] {
        get { items(of: list.list) }
        nonmutating set { set(newValue, of: list.list) }
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
        for query in parts(Query<Element>.self) {
            note(query) { $0.id == id }
            guard var element = value(of: query), element.id == id else { continue }
            change(&element)
            set(element, of: query, element: id)
        }
        for query in parts(Query<[Element]>.self) {
            note(query) { $0.contains { $0.id == id } }
            guard var elements = value(of: query), let index = elements.firstIndex(where: { $0.id == id }) else {
                continue
            }
            change(&elements[index])
            set(elements, of: query, element: id)
        }
        for list in parts(PageList<Element>.self) {
            layer.touch(list, element: id)
            var items = items(of: list)
            guard let index = items.firstIndex(where: { $0.id == id }) else {
                if layer.stage == .event { list.noteEvent(.unknown, of: id) }
                continue
            }
            change(&items[index])
            // A page that is on its way may have an older element, which is replaced by this one.
            if layer.stage == .event { list.noteEvent(.value(items[index]), of: id) }
            set(items, of: list, element: id)
        }
    }

    /// Removes an element from all lists and values of the store, arrays included.
    ///
    /// - Parameters:
    ///   - type: The type of the value, or of the elements of the list.
    ///   - id: The ID of the element.
    public func remove<Element: Identifiable & Sendable>(_ type: Element.Type, id: Element.ID) {
        for query in parts(Query<Element>.self) {
            note(query) { $0.id == id }
            if value(of: query)?.id == id { set(nil, of: query, element: id) }
        }
        for query in parts(Query<[Element]>.self) {
            note(query) { $0.contains { $0.id == id } }
            guard let elements = value(of: query), elements.contains(where: { $0.id == id }) else { continue }
            set(elements.filter { $0.id != id }, of: query, element: id)
        }
        for list in parts(PageList<Element>.self) {
            layer.touch(list, element: id)
            let items = items(of: list)
            let others = items.filter { $0.id != id }
            if layer.stage == .event { list.noteEvent(.removed, of: id) }
            if others.count != items.count { set(others, of: list, element: id) }
        }
    }

    private func parts<Part: QueryPart>(_ type: Part.Type) -> [Part] {
        store.entries.values.compactMap { $0.part as? Part }
    }

    private func note<Value>(_ query: Query<Value>, _ isChanged: @escaping @MainActor (Value) -> Bool) {
        if case .confirmed = target { query.noteChange(isEvent: layer.stage == .event, isChanged) }
    }

    private func value<Value>(of query: Query<Value>) -> Value? {
        switch target {
        case .draft: query.draftValue
        case .confirmed: query.confirmedValue
        }
    }

    /// - Parameter element: The only element that changes; `nil` for the whole value.
    private func set<Value>(_ value: Value?, of query: Query<Value>, element: AnyHashable? = nil) {
        // The account changed while the mutation was applied.
        guard layer.stage != .over else { return }
        touch(query, element)
        switch target {
        case .draft: query.draftValue = value
        case .confirmed(.server) where mayBeOlder(query.isUncertain): break
        case .confirmed(let origin):
            if layer.stage == .event { query.gate.noteEvent() }
            query.confirm(value, by: origin)
            if origin == .server { layer.confirmed.insert(ObjectIdentifier(query)) }
        }
    }

    /// Whether what the response of a mutation says may be older than the value. Events are as new as they can be.
    private func mayBeOlder(_ isUncertain: Bool) -> Bool {
        layer.isRepeated || isUncertain && layer.stage != .event
    }

    private func touch(_ part: some QueryPart, _ element: AnyHashable?) {
        store.touch(part, by: layer)
        if let element { layer.touch(part, element: element) } else { layer.touch(part) }
    }

    private func items<Item>(of list: PageList<Item>) -> [Item] {
        switch target {
        case .draft: list.draftItems
        case .confirmed: list.base
        }
    }

    private func set<Item>(_ items: [Item], of list: PageList<Item>, element: AnyHashable? = nil) {
        guard layer.stage != .over else { return }
        touch(list, element)
        switch target {
        case .draft: list.draftItems = items
        case .confirmed(.server) where mayBeOlder(list.isUncertain):
            // What the list has may be newer. What was inserted or removed is as the response says.
            if element == nil { list.confirm(items.keeping(list.base)) }
        case .confirmed(let origin):
            let count = list.base.count
            list.confirm(items)
            // If elements moved, a page that is on its way may skip some.
            if layer.stage == .event, element == nil || list.base.count != count { list.gate.noteEvent() }
            if origin == .server { layer.confirmed.insert(ObjectIdentifier(list)) }
        }
    }
}

extension Array where Element: Identifiable {
    /// The same IDs, with the elements that are already known.
    fileprivate func keeping(_ known: [Element]) -> [Element] {
        let known = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        return map { known[$0.id] ?? $0 }
    }
}
