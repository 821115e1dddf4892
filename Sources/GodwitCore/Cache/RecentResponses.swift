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

    mutating func insert(_ response: CachedResponse) {
        guard response.byteCount <= limit else { return remove(url: response.url, variant: response.variant) }
        let place = places[response.url] ?? add(response.url)
        let others = slots[place].variants.filter { $0.variant != response.variant }
        replace(place, fitting(others + [response]))
        use(place)
        while byteCount > limit, let oldest { drop(oldest) }
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
        let place = slots.count
        slots.append(Slot(url: url, variants: [], byteCount: 0))
        places[url] = place
        link(place)
        return place
    }

    /// Forgets a slot. The last one moves into its place.
    private mutating func drop(_ place: Int) {
        unlink(place)
        byteCount -= slots[place].byteCount
        places[slots[place].url] = nil
        let last = slots.removeLast()
        let moved = slots.count
        guard place != moved else { return }
        slots[place] = last
        places[last.url] = place
        if let newer = last.newer { slots[newer].older = place } else { newest = place }
        if let older = last.older { slots[older].newer = place } else { oldest = place }
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
