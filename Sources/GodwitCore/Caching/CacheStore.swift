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

    /// The stored response that answers a request with these fields; nil if there is none.
    ///
    /// Of several that match by `Vary` the latest is meant (RFC 9111 section 4.1). The default asks
    /// ``responses(for:)``; a store that would have to read every body for it does better to implement this too.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - fields: The header fields of the request.
    func response(for url: HTTPURL, matching fields: HTTPFields) async -> CachedResponse?

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

extension CacheStore {
    /// The stored response that answers a request with these fields, of all ``responses(for:)``.
    public func response(for url: HTTPURL, matching fields: HTTPFields) async -> CachedResponse? {
        await responses(for: url).selected(for: fields)
    }
}

/// How much of a store one entry may take.
package enum EntryLimit {
    /// How many variants of one URL are kept.
    package static let variants = 64

    /// An eighth of the limit, so that one entry does not evict everything; up to 64 KiB it is all of a small limit.
    package static func share(of limit: Int) -> Int {
        max(limit / 8, min(limit, 64 << 10))
    }
}
