import GodwitCore
import GodwitTesting

/// A cache store that stores, or removes, when the test says so.
final class SlowCacheStore: CacheStore {
    enum Stage: Sendable {
        case holdingRemovals, removing, holdingStores, storing, open
    }

    let state: Watched<Stage>
    private let cache: MemoryCacheStore

    init(_ stage: Stage = .holdingRemovals, limit: Int = 20 << 20) {
        state = Watched(stage)
        cache = MemoryCacheStore(limit: limit)
    }

    var entryLimit: Int { cache.entryLimit }

    func responses(for url: HTTPURL) async -> [CachedResponse] { await cache.responses(for: url) }

    func store(_ response: CachedResponse) async {
        if state.value == .holdingStores {
            state.update { $0 = .storing }
            try? await state.wait { $0 == .open }
        }
        await cache.store(response)
    }

    func remove(_ response: CachedResponse) async { await cache.remove(response) }
    func removeAll(for url: HTTPURL) async { await cache.removeAll(for: url) }

    func removeAll() async {
        if state.value == .holdingRemovals {
            state.update { $0 = .removing }
            try? await state.wait { $0 == .open }
        }
        await cache.removeAll()
    }

    func urls() async -> [HTTPURL] { await cache.urls() }
    func byteCount() async -> Int { await cache.byteCount() }
}
