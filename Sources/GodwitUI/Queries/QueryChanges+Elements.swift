// Elements, wherever they are.
extension QueryChanges {
    /// Replaces or removes an element.
    ///
    /// - Parameter event: What an event says of the element to a list that doesn't have it yet.
    func replace<Element: Identifiable & Sendable>(
        _ type: Element.Type, id: Element.ID, orNote event: ElementEvent<Element>, by change: (Element) -> Element?
    ) {
        mutation.touch(ElementKey(type, id))
        if !target.isEnd { replaceInValues(id, by: change) }
        let scope = event.isRemoval ? MutationHistory.Scope.whole : .element(id)
        for list in cachedValues(PageList<Element>.self) {
            mutation.touch(list, scope)
            switch target {
            case .end(let id) where id != ObjectIdentifier(list): continue
            case .draft, .end: replace(inDraftOf: list, id, by: change)
            case .confirmed(let origin): replace(inBaseOf: list, id, orNote: event, by: change, origin)
            }
        }
    }

    private func replaceInValues<Element: Identifiable & Sendable>(
        _ id: Element.ID, by change: (Element) -> Element?
    ) {
        for query in cachedValues(Query<Element>.self) {
            note(query) { $0.id == id }
            guard let element = value(of: query), element.id == id else { continue }
            set(change(element), of: query, isWhole: false)
        }
        for query in cachedValues(Query<[Element]>.self) {
            note(query) { $0.contains { $0.id == id } }
            guard let elements = value(of: query), elements.contains(where: { $0.id == id }) else { continue }
            set(elements.compactMap { $0.id == id ? change($0) : $0 }, of: query, isWhole: false)
        }
    }

    private func replace<Item>(inDraftOf list: PageList<Item>, _ id: Item.ID, by change: (Item) -> Item?) {
        guard let index = list.draftItems.firstIndex(where: { $0.id == id }) else { return }
        let item = change(list.draftItems[index])
        guard mutation.stage != .over else { return }
        store.touch(list, by: mutation)
        mutation.reads.noteChange(of: list)
        list.draft.set(item, at: index, of: list.base)
    }

    private func replace<Item>(
        inBaseOf list: PageList<Item>, _ id: Item.ID, orNote event: ElementEvent<Item>, by change: (Item) -> Item?,
        _ origin: ConfirmedOrigin
    ) {
        guard let index = list.base.firstIndex(where: { $0.id == id }) else {
            if mutation.stage == .event { list.noteEvent(event, of: id) }
            return
        }
        let item = change(list.base[index])
        guard mutation.stage != .over else { return }
        // A page that is on its way may have an older element, which is replaced by this one.
        if mutation.stage == .event { list.noteEvent(item.map { .value($0) } ?? .removed, of: id) }
        store.touch(list, by: mutation)
        if origin == .server, mayBeOlder(list) { return }
        if origin == .server { mutation.confirmed.insert(ObjectIdentifier(list)) }
        list.confirm(item, at: index)
        // Elements moved: a page that is on its way may skip some.
        if mutation.stage == .event, item == nil { list.loads.send(.serverEvent) }
    }

    /// The values that may have an element.
    private func cachedValues<Cached: CachedValue>(_ type: Cached.Type) -> [Cached] {
        mutation.reads.addAll(type)
        return store.cachedValues(type)
    }
}
