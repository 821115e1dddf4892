import Synchronization

/// Stores responses in memory, and evicts the least recently used ones.
///
/// ```swift
/// let store = MemoryCacheStore(limit: 50 << 20)
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cache = .store(store) }
/// ```
///
/// Clients of the same person can share a store.
public final class MemoryCacheStore: CacheStore {
    /// The maximum size of all responses in bytes, by ``CachedResponse/byteCount``.
    public let limit: Int

    /// The maximum size of one response in bytes. A larger one is not stored.
    public let entryLimit: Int

    private let entries: Mutex<RecentResponses>

    /// Creates an empty store that keeps at most `limit` bytes of responses in memory.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of all responses in bytes. 20 MiB by default. With 0 or less, nothing is stored.
    ///   - entryLimit: The maximum size of one response in bytes. `nil` (the default) means an eighth of the limit, or
    ///     64 KiB if that is more.
    public init(limit: Int = 20 << 20, entryLimit: Int? = nil) {
        self.limit = limit
        self.entryLimit = min(entryLimit ?? EntryLimit.share(of: limit), limit)
        entries = Mutex(RecentResponses(limit: limit, entryLimit: self.entryLimit))
    }

    /// All stored variants of a URL.
    ///
    /// - Parameter url: The URL; its fragment is ignored.
    public func responses(for url: HTTPURL) async -> [CachedResponse] {
        entries.withLock { $0.responses(for: url) }
    }

    /// The stored response that matches a request. Other variants don't count as used.
    ///
    /// - Parameters:
    ///   - url: The URL; its fragment is ignored.
    ///   - fields: The header fields of the request.
    public func response(for url: HTTPURL, matching fields: HTTPFields) async -> CachedResponse? {
        found(for: url, matching: fields)
    }

    func found(for url: HTTPURL, matching fields: HTTPFields) -> CachedResponse? {
        entries.withLock { $0.response(for: url, matching: fields) }
    }

    /// Stores a response, replacing the one with its URL and variant, and evicts others if necessary.
    ///
    /// - Parameter response: The response.
    public func store(_ response: CachedResponse) async { insert(response) }

    func insert(_ response: CachedResponse) {
        _ = entries.withLock { $0.insert(response) }
    }

    /// Removes the response with the same URL and variant.
    ///
    /// - Parameter response: The response to remove; its body is ignored.
    public func remove(_ response: CachedResponse) async { drop(response) }

    func drop(_ response: CachedResponse) {
        _ = entries.withLock { $0.remove(url: response.url, variant: response.variant) }
    }

    /// Removes all variants of a URL.
    ///
    /// - Parameter url: The URL; its fragment is ignored.
    public func removeAll(for url: HTTPURL) async {
        _ = entries.withLock { $0.removeAll(for: url) }
    }

    /// Removes everything.
    public func removeAll() async {
        entries.withLock { $0 = RecentResponses(limit: limit, entryLimit: entryLimit) }
    }

    /// The URLs that responses are stored for, in no particular order.
    public func urls() async -> [HTTPURL] {
        entries.withLock { $0.urls }
    }

    /// The size of all responses in bytes: the sum of ``CachedResponse/byteCount``.
    public func byteCount() async -> Int {
        entries.withLock { $0.byteCount }
    }

    /// The stored responses with a `Use-As-Dictionary` field, in no particular order. None counts as used.
    public func dictionaries() async -> [CachedResponse] {
        entries.withLock { $0.responses { $0.fields.contains(.useAsDictionary) } }
    }
}

/// Responses in the order of their last use, within a number of bytes.
///
/// Each variant of a URL is used and evicted separately.
struct RecentResponses {
    /// A response in the list of uses, from the newest to the oldest; a free slot has none.
    private struct Slot {
        var response: CachedResponse?
        var lastUse = 0
        var newer: Int?
        var older: Int?
    }

    private let limit: Int
    private let entryLimit: Int
    /// The slots of a URL's variants.
    private var variants: [HTTPURL: [Int]] = [:]
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    private var uses = 0

    /// The size of all responses.
    private(set) var byteCount = 0

    init(limit: Int, entryLimit: Int) {
        self.limit = limit
        self.entryLimit = min(entryLimit, limit)
    }

    var urls: [HTTPURL] { Array(variants.keys) }

    /// The responses that match, none of which counts as used.
    func responses(where matches: (CachedResponse) -> Bool) -> [CachedResponse] {
        slots.compactMap(\.response).filter(matches)
    }

    /// All variants of a URL, which count as used.
    mutating func responses(for url: HTTPURL) -> [CachedResponse] {
        (variants[url] ?? []).compactMap { slot in
            use(slot)
            return slots[slot].response
        }
    }

    /// The latest variant that matches a request, which counts as used.
    mutating func response(for url: HTTPURL, matching fields: HTTPFields) -> CachedResponse? {
        guard let found = variants[url] else { return nil }
        if found.count == 1 {
            guard let response = slots[found[0]].response, response.matches(fields) else { return nil }
            use(found[0])
            return response
        }
        let selected = found.compactMap { slots[$0].response }.selected(for: fields)
        if let selected, let slot = slot(found, selected.variant) { use(slot) }
        return selected
    }

    /// Stores a response.
    ///
    /// - Returns: The replaced and evicted responses, to be released after the lock.
    mutating func insert(_ response: CachedResponse) -> [CachedResponse] {
        let others = variants[response.url] ?? []
        let existing = slot(others, response.variant)
        var dropped: [CachedResponse] = []
        guard response.byteCount <= entryLimit else {
            if let existing { drop(existing, to: &dropped) }
            return dropped
        }
        if let existing, let former = slots[existing].response {
            dropped.append(former)
            slots[existing].response = response
            byteCount += response.byteCount - former.byteCount
            use(existing)
        } else {
            add(response)
            if others.count >= EntryLimit.variants,
                let leastUsed = others.min(by: { slots[$0].lastUse < slots[$1].lastUse })
            {
                drop(leastUsed, to: &dropped)
            }
        }
        while byteCount > limit, let oldest { drop(oldest, to: &dropped) }
        return dropped
    }

    /// Removes one variant of a URL, and returns it.
    mutating func remove(url: HTTPURL, variant: String) -> [CachedResponse] {
        var dropped: [CachedResponse] = []
        if let slot = slot(variants[url] ?? [], variant) { drop(slot, to: &dropped) }
        return dropped
    }

    mutating func removeAll(for url: HTTPURL) -> [CachedResponse] {
        var dropped: [CachedResponse] = []
        for slot in variants[url] ?? [] { drop(slot, to: &dropped) }
        return dropped
    }

    private func slot(_ slots: [Int], _ variant: String) -> Int? {
        slots.first { self.slots[$0].response?.variant == variant }
    }

    private mutating func add(_ response: CachedResponse) {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count { slots.append(Slot()) }
        slots[slot].response = response
        variants[response.url, default: []].append(slot)
        byteCount += response.byteCount
        link(slot)
    }

    private mutating func drop(_ slot: Int, to dropped: inout [CachedResponse]) {
        guard let response = slots[slot].response.take() else { return }
        unlink(slot)
        byteCount -= response.byteCount
        free.append(slot)
        if let index = variants.index(forKey: response.url) {
            variants.values[index].removeAll { $0 == slot }
            if variants.values[index].isEmpty { variants.remove(at: index) }
        }
        dropped.append(response)
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
