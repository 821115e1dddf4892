/// Responses in the order of their last use, up to a number of bytes.
///
/// A URL's variants are used, and forgotten, together: which of them a request matches is not the store's to know.
struct RecentResponses {
    private struct Slot {
        let url: HTTPURL
        var variants: [CachedResponse]
        var byteCount: Int
        var newer: Int?
        var older: Int?
    }

    private let limit: Int
    /// Where a URL's slot is; a URL is hashed once for each use, and its neighbours are not.
    private var places: [HTTPURL: Int] = [:]
    private var slots: [Slot] = []
    /// Places of slots that were forgotten.
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?

    /// What all responses take.
    private(set) var byteCount = 0

    init(limit: Int) {
        self.limit = limit
    }

    var urls: [HTTPURL] { Array(places.keys) }

    mutating func responses(for url: HTTPURL) -> [CachedResponse] {
        guard let place = places[url] else { return [] }
        use(place)
        return slots[place].variants
    }

    /// Keeps a response; what it takes the place of, and what there is no more room for, is returned, so that a caller
    /// who holds a lock need not let go of it under the lock.
    mutating func insert(_ response: CachedResponse) -> [[CachedResponse]] {
        guard response.byteCount <= limit else {
            remove(url: response.url, variant: response.variant)
            return []
        }
        let place = places[response.url] ?? add(response.url)
        var dropped: [[CachedResponse]] = []
        if slots[place].variants.isEmpty {
            replace(place, [response])
        } else {
            dropped.append(slots[place].variants)
            let others = slots[place].variants.filter { $0.variant != response.variant }
            replace(place, fitting(others + [response]))
        }
        use(place)
        while byteCount > limit, let oldest { dropped.append(drop(oldest)) }
        return dropped
    }

    mutating func remove(url: HTTPURL, variant: String) {
        guard let place = places[url] else { return }
        let others = slots[place].variants.filter { $0.variant != variant }
        if others.isEmpty { drop(place) } else { replace(place, others) }
    }

    mutating func removeAll(for url: HTTPURL) {
        if let place = places[url] { drop(place) }
    }

    /// The latest variants that fit together; the last always does.
    private func fitting(_ variants: [CachedResponse]) -> [CachedResponse] {
        var room = limit
        let count = variants.reversed().prefix { response in
            room -= response.byteCount
            return room >= 0
        }.count
        return Array(variants.suffix(count))
    }

    private mutating func replace(_ place: Int, _ variants: [CachedResponse]) {
        let size = variants.reduce(0) { $0 + $1.byteCount }
        byteCount += size - slots[place].byteCount
        slots[place].variants = variants
        slots[place].byteCount = size
    }

    // MARK: Order

    private mutating func add(_ url: HTTPURL) -> Int {
        let slot = Slot(url: url, variants: [], byteCount: 0)
        let place: Int
        if let free = free.popLast() {
            place = free
            slots[free] = slot
        } else {
            place = slots.count
            slots.append(slot)
        }
        places[url] = place
        link(place)
        return place
    }

    /// Forgets a slot, whose place the next one takes.
    @discardableResult
    private mutating func drop(_ place: Int) -> [CachedResponse] {
        unlink(place)
        byteCount -= slots[place].byteCount
        places[slots[place].url] = nil
        free.append(place)
        defer { slots[place].variants = [] }
        return slots[place].variants
    }

    private mutating func use(_ place: Int) {
        guard newest != place else { return }
        unlink(place)
        link(place)
    }

    private mutating func link(_ place: Int) {
        slots[place].older = newest
        slots[place].newer = nil
        if let newest { slots[newest].newer = place }
        newest = place
        if oldest == nil { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (slots[place].newer, slots[place].older)
        if let newer { slots[newer].older = older } else { newest = older }
        if let older { slots[older].newer = newer } else { oldest = newer }
    }
}
