// Mutations are applied again whenever the base changes: to a draft, which is then published at once.
extension PageList {
    /// The elements with the mutations applied so far.
    var draftItems: [Item] { draft.items ?? (draft.start == 0 ? base : Array(base[draft.start...])) }

    func beginDraft(from start: Int) { draft = ListDraft(start: start) }

    func publishDraft() {
        if draft.isChange(of: elements) { elements.publish(draft) }
        draft = ListDraft()
        continueIfEmptied()
    }

    /// Replaces the confirmed elements. Those that were removed stay known: they don't come back with the next page.
    func confirm(_ items: [Item]) {
        let former = base.map(\.id)
        elements.setBase(items.distinct)
        let current = base.map(\.id)
        guard former != current else { return }
        progress.changes.add(from: former, to: current, known: ids)
        ids.formUnion(current)
    }

    /// Replaces or removes one confirmed element.
    func confirm(_ item: Item?, at index: Int) {
        let former = base[index].id
        if let item, item.id != former {
            var items = base
            items[index] = item
            return confirm(items)
        }
        elements.setBase(item, at: index)
        if item == nil { progress.changes.remove(former) }
    }

    /// Writes the confirmed elements to the store's models. Before the first page, what is stored is more than what is known.
    func keepConfirmed() {
        // Not the list's own array: it would be copied when the list grows meanwhile.
        if date != nil { keepElements?(Array(base.prefix(storedLimit))) }
    }

    /// How many elements are stored, even if the first page has more.
    private var storedLimit: Int { 1000 }

    /// Changes the elements that are shown, without a mutation.
    func edit(_ change: (inout [Item]) -> Void) {
        let shown = items
        var items = shown
        change(&items)
        // A load in progress may return elements from before the change.
        loads.send(.serverEvent)
        confirm(elements.edit == nil ? items : confirmed(items, after: shown))
        keepConfirmed()
        baseChanged?(0)
        continueIfEmptied()
    }

    /// What an edit of the shown elements means for the confirmed ones, to which pending mutations are applied again.
    ///
    /// Elements that were removed by a mutation keep their place, after the one before them. Those that one inserted
    /// aren't part of the result.
    private func confirmed(_ items: [Item], after shown: [Item]) -> [Item] {
        let known = Dictionary(base.map { ($0.id, $0) }) { first, _ in first }
        let before = Dictionary(shown.map { ($0.id, $0) }) { first, _ in first }
        let kept = Set(items.map(\.id))
        var hidden: [Item.ID?: [Item]] = [:]
        var last: Item.ID?
        for item in base {
            if before[item.id] == nil {
                hidden[last, default: []].append(item)
            } else if kept.contains(item.id) {
                last = item.id
            }
        }
        var result = hidden[nil] ?? []
        for item in items {
            if let confirmed = known[item.id] {
                result.append(before[item.id].map { item.isEqual(to: $0) } == false ? item : confirmed)
                result += hidden[item.id] ?? []
            } else if before[item.id] == nil {
                result.append(item)
            }
        }
        return result
    }
}

extension Identifiable {
    /// Whether an element is unchanged. Elements that can't be compared count as unchanged while a mutation is pending.
    fileprivate func isEqual(to other: Self) -> Bool {
        guard let value = self as? any Equatable else { return true }
        return value.equals(other)
    }
}

extension Equatable {
    fileprivate func equals(_ other: Any) -> Bool { (other as? Self) == self }
}
