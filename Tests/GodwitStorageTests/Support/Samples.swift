import GodwitStorage
import TestSupport

/// The library's stores, for what holds for both.
enum StoreKind: CaseIterable {
    case memory, disk

    func store(in folder: TemporaryFolder, limit: Int = 1 << 20, entryLimit: Int? = nil) throws -> any CacheStore {
        switch self {
        case .memory: MemoryCacheStore(limit: limit, entryLimit: entryLimit)
        case .disk: try DiskCacheStore(directory: folder.url, limit: limit, entryLimit: entryLimit)
        }
    }
}

/// A response of this many bytes.
func response(_ path: String, _ bytes: Int = 1000, variant: String = "") throws -> CachedResponse {
    CachedResponse(
        url: try HTTPURL("https://example.com/" + path), variant: variant, status: .ok, fields: [:],
        body: Data(count: bytes), requestTime: Date(), responseTime: Date())
}

/// The paths of what is stored, in order.
func paths(_ store: any CacheStore) async -> [String] {
    await store.urls().map(\.path).sorted()
}

extension CacheStore {
    /// Whether something is stored for this path.
    func has(_ path: String) async throws -> Bool {
        await !responses(for: try HTTPURL("https://example.com/" + path)).isEmpty
    }
}
