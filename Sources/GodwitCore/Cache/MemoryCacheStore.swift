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
