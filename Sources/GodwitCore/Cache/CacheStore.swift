/// Keeps responses for ``Caching``: in memory, on disk, or wherever you like.
///
/// A store decides nothing but what to forget when it is full. It may forget anything at any time, and a failure of its
/// own is a response that was not there.
///
/// ```swift
/// let store = MemoryCacheStore(limit: 20 << 20)
/// let chain = Chain([Caching(store)], over: transport)
/// ```
public protocol CacheStore: Sendable {
    /// The responses stored for a URL: one for each variant, in any order.
    func responses(for url: HTTPURL) async -> [CachedResponse]

    /// Keeps a response in place of the one with the same URL and variant.
    func store(_ response: CachedResponse) async

    /// Forgets the response with the same URL and variant.
    func remove(_ response: CachedResponse) async

    /// Forgets all responses for a URL.
    func removeAll(for url: HTTPURL) async

    /// Forgets everything, as at a log-out.
    func removeAll() async

    /// The URLs for which something is stored, in any order.
    func urls() async -> [HTTPURL]

    /// How many bytes all responses take, as ``CachedResponse/byteCount`` counts them.
    func byteCount() async -> Int
}
