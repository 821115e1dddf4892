/// What a client keeps responses in.
///
/// ```swift
/// $0.cache = .memory(limit: 20 << 20)
/// $0.cache = .store(store)
/// ```
public enum CacheSetting: Sendable, Nonisolated {
    /// Nothing is kept.
    case off

    /// Up to so many bytes in memory, for as long as the client lives.
    case memory(limit: Int)

    /// A store, which several clients of one account may share.
    case store(any CacheStore)

    func makeStore() -> (any CacheStore)? {
        switch self {
        case .off: nil
        case .memory(let limit): MemoryCacheStore(limit: limit)
        case .store(let store): store
        }
    }
}
