// Mutations are applied again whenever the base changes: to a draft, which is then published at once.
extension PageList {
    /// The elements with the mutations applied so far.
    var draftItems: [Item] {
        get { draft ?? base }
        set { draft = newValue.distinct }
    }

    func beginDraft() { draft = nil }

    func publishDraft() {
        if draft != nil || edit != nil { edit = draft }
        draft = nil
        continueIfEmptied()
    }

    /// Replaces the confirmed elements. Those that were removed stay known: they don't come back with the next page.
    func confirm(_ items: [Item]) {
        let former = base.map(\.id)
        base = items.distinct
        let current = base.map(\.id)
        guard former != current else { return }
        progress.changes.add(from: former, to: current, known: ids)
        ids.formUnion(current)
    }

    /// Changes the elements without a mutation.
    func edit(_ change: (inout [Item]) -> Void) {
        // A load in progress may return elements from before the change.
        gate.close()
        var items = base
        change(&items)
        confirm(items)
        gate.open()
        baseChanged?()
        continueIfEmptied()
    }
}

extension Array where Element: Identifiable {
    /// The elements without repeated IDs: the first of each.
    fileprivate var distinct: [Element] {
        var ids: Set<Element.ID> = []
        return filter { ids.insert($0.id).inserted }
    }
}
