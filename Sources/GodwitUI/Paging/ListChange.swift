/// How many elements of a server's list may stand at other places since its last page was read.
struct ListChange {
    /// Whether the list, or one of its elements, was changed.
    var hasHappened = false
    /// How many elements that were read aren't before the next page any more.
    private(set) var removed = 0
    /// How many elements the next pages may repeat.
    private(set) var repeated = 0
}

/// Counts the changes of a list's elements since its last page was read.
struct ListChanges<ID: Hashable> {
    private(set) var change = ListChange()
    /// New elements: removing one of them again leaves the server's list as it was read.
    private var inserted: Set<ID> = []

    /// Adds a change that the server has made too, or may have made.
    ///
    /// - Parameter known: The elements that were in the list before.
    mutating func add(from former: [ID], to current: [ID], known: Set<ID>) {
        let (before, after) = (Set(former), Set(current))
        let new = after.subtracting(before)
        let removed = before.subtracting(after)
        let moved = Self.moves(from: former.filter(after.contains), to: current.filter(before.contains))
        change.count(removed: removed.subtracting(inserted).count + moved, inserted: new.count)
        inserted.subtract(removed)
        inserted.formUnion(new.subtracting(known))
    }

    /// Adds a removal that the server has made too, or may have made.
    mutating func remove(_ id: ID) {
        change.count(removed: inserted.remove(id) == nil ? 1 : 0, inserted: 0)
    }

    /// How many elements must at least be moved to get from one order to another: all but a longest part in order.
    private static func moves(from former: [ID], to current: [ID]) -> Int {
        guard former != current else { return 0 }
        let places = Dictionary(uniqueKeysWithValues: zip(former, 0...))
        // The least last place of the values in order, by length.
        var lasts: [Int] = []
        for place in current.compactMap({ places[$0] }) {
            var (low, high) = (0, lasts.count)
            while low < high {
                let middle = (low + high) / 2
                if lasts[middle] < place { low = middle + 1 } else { high = middle }
            }
            if low == lasts.count { lasts.append(place) } else { lasts[low] = place }
        }
        return former.count - lasts.count
    }
}

extension ListChange {
    fileprivate mutating func count(removed: Int, inserted: Int) {
        self.removed += removed
        repeated += removed + inserted
    }
}

/// What happened to a list since its last page, and how many pages brought nothing new.
struct ListProgress<ID: Hashable> {
    var changes = ListChanges<ID>()
    /// Consecutive pages without new elements.
    private var emptyPages = 0
    /// How many elements the next pages may repeat because of changes.
    private var repeated = 0
    /// How many mutations had begun when the last page was taken.
    private var mutations: Int? = 0

    /// After this many pages without new elements, loading stops: the list may be circular.
    private static var emptyPageLimit: Int { 10 }

    var isStopped: Bool { emptyPages >= Self.emptyPageLimit }

    /// What changed since the last page.
    ///
    /// - Parameter mutations: How many mutations have begun.
    func change(mutations: Int) -> ListChange {
        var change = changes.change
        change.hasHappened = mutations != self.mutations
        return change
    }

    /// Notes that pages before the next one were read again.
    mutating func noteMove() { mutations = nil }

    /// Counts a page that is added to the list, or that starts it.
    mutating func add(_ count: Int, fresh: Int, isFirst: Bool, mutations: Int) {
        repeated = isFirst ? 0 : repeated + changes.change.repeated
        changes = ListChanges()
        self.mutations = mutations
        let isExpected = fresh == 0 && count > 0 && repeated > 0
        repeated = max(repeated - count, 0)
        if !isExpected { emptyPages = fresh == 0 ? emptyPages + 1 : 0 }
    }
}
