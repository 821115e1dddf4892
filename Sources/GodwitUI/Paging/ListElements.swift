/// The elements of a list: confirmed, and as they are shown.
struct ListElements<Item: Identifiable> {
    /// The elements without mutations that aren't confirmed.
    private(set) var base: [Item] = []
    /// The elements with those mutations; `nil` if there are none.
    private(set) var edit: [Item]?
    /// How often elements changed other than by further ones at the end.
    private(set) var revision = 0

    var shown: [Item] { edit ?? base }

    /// Adds confirmed elements. Those of an edit follow with its draft.
    mutating func append(_ items: [Item]) { base += items }

    /// Replaces all confirmed elements.
    mutating func setBase(_ items: [Item]) {
        base = items
        revision += 1
    }

    /// Replaces or removes one confirmed element.
    mutating func setBase(_ item: Item?, at index: Int) {
        base.set(item, at: index)
        revision += 1
    }

    /// Removes all elements.
    mutating func removeAll() {
        base = []
        edit = nil
        revision += 1
    }

    /// Shows a draft.
    mutating func publish(_ draft: ListDraft<Item>) {
        if draft.start > 0 { return publishEnd(draft) }
        edit = draft.items
        revision += 1
    }

    private mutating func publishEnd(_ draft: ListDraft<Item>) {
        if edit != nil {
            edit?.append(contentsOf: draft.items ?? Array(base[draft.start...]))
        } else if let items = draft.items {
            edit = base[..<draft.start] + items
        }
    }
}

/// What mutations make of elements, while they are applied.
struct ListDraft<Item: Identifiable> {
    /// The first confirmed element that they are applied to.
    var start = 0
    /// The elements from there on; `nil` if no mutation has changed them.
    private(set) var items: [Item]?

    /// Whether it changes what is shown.
    func isChange(of elements: ListElements<Item>) -> Bool { items != nil || elements.edit != nil }

    /// Replaces all elements. Of those with the same ID, the first stays.
    mutating func set(_ items: [Item]) { self.items = items.distinct }

    /// Replaces or removes one element.
    ///
    /// - Parameters:
    ///   - index: Its place among the elements of the draft.
    ///   - base: All confirmed elements.
    mutating func set(_ item: Item?, at index: Int, of base: [Item]) {
        var items = items ?? Array(base[start...])
        self.items = nil
        let former = items[index].id
        items.set(item, at: index)
        self.items = item.map { $0.id == former } ?? true ? items : items.distinct
    }
}

extension Array {
    /// Replaces an element, or removes it.
    fileprivate mutating func set(_ element: Element?, at index: Int) {
        if let element { self[index] = element } else { remove(at: index) }
    }
}

extension Array where Element: Identifiable {
    /// The elements without repeated IDs: the first of each.
    var distinct: [Element] {
        var ids: Set<Element.ID> = []
        return filter { ids.insert($0.id).inserted }
    }
}
