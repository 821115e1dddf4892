import Synchronization

/// Keeps responses in memory, up to a number of bytes; what was not used for longest is forgotten first.
///
/// ```swift
/// let store = MemoryCacheStore(limit: 50 << 20)
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cache = .store(store) }
/// ```
///
/// Safe to use from any task; several clients may share one, where they work for the same person.
public final class MemoryCacheStore: CacheStore {
    /// The most bytes that are kept, as ``CachedResponse/byteCount`` counts them.
    public let limit: Int

    /// The most bytes that one response may take; a larger one is not kept.
    public let entryLimit: Int

    private let entries: Mutex<RecentResponses>

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that are kept; 20 MiB by default. Zero or less keeps nothing.
    ///   - entryLimit: The most bytes that one response may take. `nil` (the default) means an eighth of the limit, or
    ///     64 KiB if that is more.
    public init(limit: Int = 20 << 20, entryLimit: Int? = nil) {
        self.limit = limit
        self.entryLimit = min(entryLimit ?? EntryLimit.share(of: limit), limit)
        entries = Mutex(RecentResponses(limit: limit, entryLimit: self.entryLimit))
    }

    /// What is stored for a URL, all variants of it; empty where nothing is.
    ///
    /// - Parameter url: The URL; its fragment does not count.
    public func responses(for url: HTTPURL) async -> [CachedResponse] {
        entries.withLock { $0.responses(for: url) }
    }

    /// The stored response that answers a request with these fields; the other variants do not count as used.
    ///
    /// - Parameters:
    ///   - url: The URL; its fragment does not count.
    ///   - fields: The header fields of the request.
    public func response(for url: HTTPURL, matching fields: HTTPFields) async -> CachedResponse? {
        entries.withLock { $0.response(for: url, matching: fields) }
    }

    /// Keeps a response in place of the one with its URL and variant, and forgets others where there is no room.
    ///
    /// - Parameter response: The response.
    public func store(_ response: CachedResponse) async {
        _ = entries.withLock { $0.insert(response) }
    }

    /// Forgets the response with this URL and variant.
    ///
    /// - Parameter response: What to forget; its content does not count.
    public func remove(_ response: CachedResponse) async {
        _ = entries.withLock { $0.remove(url: response.url, variant: response.variant) }
    }

    /// Forgets all variants of a URL.
    ///
    /// - Parameter url: The URL; its fragment does not count.
    public func removeAll(for url: HTTPURL) async {
        entries.withLock { $0.removeAll(for: url) }
    }

    /// Forgets everything.
    public func removeAll() async {
        entries.withLock { $0 = RecentResponses(limit: limit, entryLimit: entryLimit) }
    }

    /// The URLs something is stored for, each once, in no particular order.
    public func urls() async -> [HTTPURL] {
        entries.withLock { $0.urls }
    }

    /// How many bytes are stored, as ``CachedResponse/byteCount`` counts them.
    public func byteCount() async -> Int {
        entries.withLock { $0.byteCount }
    }
}

/// Responses in the order of their last use, up to a number of bytes.
///
/// Each variant of a URL is used, and evicted, by itself: one that nobody asks for does not stay because others are used.
struct RecentResponses {
    /// A response in the list of uses. A slot that is free has none.
    private struct Slot {
        var response: CachedResponse?
        var lastUse = 0
        var newer: Int?
        var older: Int?
    }

    private let limit: Int
    private let entryLimit: Int
    /// The slots of a URL's variants; a URL is hashed once for each use.
    private var places: [HTTPURL: [Int]] = [:]
    private var slots: [Slot] = []
    /// Slots that are free.
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    private var uses = 0

    /// What all responses take.
    private(set) var byteCount = 0

    init(limit: Int, entryLimit: Int) {
        self.limit = limit
        self.entryLimit = entryLimit
    }

    var urls: [HTTPURL] { Array(places.keys) }

    /// All variants of a URL, which counts as a use of each; the one that was stored first stands first.
    mutating func responses(for url: HTTPURL) -> [CachedResponse] {
        guard let found = places[url] else { return [] }
        return found.compactMap { slot in
            use(slot)
            return slots[slot].response
        }
    }

    /// The latest variant that answers a request, which counts as a use of it alone.
    mutating func response(for url: HTTPURL, matching fields: HTTPFields) -> CachedResponse? {
        guard let found = places[url] else { return nil }
        if found.count == 1 {
            guard let response = slots[found[0]].response, response.matches(fields) else { return nil }
            use(found[0])
            return response
        }
        let selected = found.compactMap { slots[$0].response }.selected(for: fields)
        if let selected, let slot = found.first(where: { slots[$0].response?.variant == selected.variant }) {
            use(slot)
        }
        return selected
    }

    /// Keeps a response; what it takes the place of, and what there is no more room for, is returned, so that a caller
    /// who holds a lock need not release it under the lock.
    mutating func insert(_ response: CachedResponse) -> [CachedResponse] {
        var dropped = remove(url: response.url, variant: response.variant)
        guard response.byteCount <= entryLimit, response.byteCount <= limit else { return dropped }
        add(response)
        if let variants = places[response.url], variants.count > EntryLimit.variants,
            let leastUsed = variants.min(by: { slots[$0].lastUse < slots[$1].lastUse })
        {
            dropped += drop(leastUsed)
        }
        while byteCount > limit, let oldest { dropped += drop(oldest) }
        return dropped
    }

    /// Removes one variant of a URL, and returns it.
    @discardableResult
    mutating func remove(url: HTTPURL, variant: String) -> [CachedResponse] {
        guard let slot = places[url]?.first(where: { slots[$0].response?.variant == variant }) else { return [] }
        return drop(slot)
    }

    mutating func removeAll(for url: HTTPURL) {
        for slot in places[url] ?? [] { drop(slot) }
    }

    // MARK: Order

    private mutating func add(_ response: CachedResponse) {
        let slot: Int
        if let last = free.popLast() {
            slot = last
            slots[slot].response = response
        } else {
            slot = slots.count
            slots.append(Slot(response: response))
        }
        places[response.url, default: []].append(slot)
        byteCount += response.byteCount
        link(slot)
    }

    /// Frees a slot, which the next response takes.
    @discardableResult
    private mutating func drop(_ slot: Int) -> [CachedResponse] {
        guard let response = slots[slot].response else { return [] }
        unlink(slot)
        byteCount -= response.byteCount
        slots[slot].response = nil
        free.append(slot)
        if places[response.url]?.count == 1 {
            places[response.url] = nil
        } else {
            places[response.url]?.removeAll { $0 == slot }
        }
        return [response]
    }

    private mutating func use(_ slot: Int) {
        guard newest != slot else { return }
        unlink(slot)
        link(slot)
    }

    private mutating func link(_ slot: Int) {
        uses += 1
        slots[slot].lastUse = uses
        slots[slot].older = newest
        slots[slot].newer = nil
        if let newest { slots[newest].newer = slot }
        newest = slot
        if oldest == nil { oldest = slot }
    }

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (slots[slot].newer, slots[slot].older)
        if let newer { slots[newer].older = older } else { newest = older }
        if let older { slots[older].newer = newer } else { oldest = newer }
    }
}
