import Synchronization

/// Keeps responses in memory, up to a number of bytes; what was not used for longest is forgotten first.
public final class MemoryCacheStore: CacheStore {
    /// The most bytes that are kept, as ``CachedResponse/byteCount`` counts them.
    public let limit: Int

    private let entries: Mutex<RecentResponses>

    /// Makes a store. A response that takes more than the limit alone is not kept.
    ///
    /// - Parameter limit: In bytes; 20 MiB by default. Zero or less keeps nothing.
    public init(limit: Int = 20 << 20) {
        self.limit = limit
        entries = Mutex(RecentResponses(limit: limit))
    }

    public func responses(for url: HTTPURL) async -> [CachedResponse] {
        entries.withLock { $0.responses(for: url) }
    }

    public func store(_ response: CachedResponse) async {
        entries.withLock { $0.insert(response) }
    }

    public func remove(_ response: CachedResponse) async {
        entries.withLock { $0.remove(url: response.url, variant: response.variant) }
    }

    public func removeAll(for url: HTTPURL) async {
        entries.withLock { $0.removeAll(for: url) }
    }

    public func removeAll() async {
        entries.withLock { $0 = RecentResponses(limit: limit) }
    }

    public func urls() async -> [HTTPURL] {
        entries.withLock { $0.urls }
    }

    public func byteCount() async -> Int {
        entries.withLock { $0.byteCount }
    }
}
