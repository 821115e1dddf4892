/// Responses in the order of their last use, up to a number of bytes.
///
/// A URL's variants are used, and forgotten, together: which of them a request matches is not the store's to know.
struct RecentResponses {
    private struct Slot {
        var variants: [CachedResponse]
        var byteCount: Int
        var newer: HTTPURL?
        var older: HTTPURL?
    }

    private let limit: Int
    private var slots: [HTTPURL: Slot] = [:]
    private var newest: HTTPURL?
    private var oldest: HTTPURL?

    /// What all responses take.
    private(set) var byteCount = 0

    init(limit: Int) {
        self.limit = limit
    }

    var urls: [HTTPURL] { Array(slots.keys) }

    mutating func responses(for url: HTTPURL) -> [CachedResponse] {
        guard let variants = slots[url]?.variants else { return [] }
        if newest != url {
            unlink(url)
            link(url)
        }
        return variants
    }

    mutating func insert(_ response: CachedResponse) {
        remove(url: response.url, variant: response.variant)
        guard response.byteCount <= limit else { return }
        let variants = (slots[response.url]?.variants ?? []) + [response]
        replace(response.url, fitting(variants))
        while byteCount > limit, let url = oldest { removeAll(for: url) }
    }

    mutating func remove(url: HTTPURL, variant: String) {
        guard let variants = slots[url]?.variants, variants.contains(where: { $0.variant == variant }) else { return }
        replace(url, variants.filter { $0.variant != variant })
    }

    mutating func removeAll(for url: HTTPURL) {
        guard let slot = slots[url] else { return }
        unlink(url)
        slots[url] = nil
        byteCount -= slot.byteCount
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

    private mutating func replace(_ url: HTTPURL, _ variants: [CachedResponse]) {
        removeAll(for: url)
        guard !variants.isEmpty else { return }
        let size = variants.reduce(0) { $0 + $1.byteCount }
        slots[url] = Slot(variants: variants, byteCount: size)
        byteCount += size
        link(url)
    }

    private mutating func link(_ url: HTTPURL) {
        slots[url]?.older = newest
        slots[url]?.newer = nil
        if let newest { slots[newest]?.newer = url }
        newest = url
        if oldest == nil { oldest = url }
    }

    private mutating func unlink(_ url: HTTPURL) {
        guard let slot = slots[url] else { return }
        if let newer = slot.newer { slots[newer]?.older = slot.older } else { newest = slot.older }
        if let older = slot.older { slots[older]?.newer = slot.newer } else { oldest = slot.newer }
    }
}
