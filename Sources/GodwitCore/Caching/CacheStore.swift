/// Stores responses for ``Caching``: in memory, on disk, or elsewhere.
///
/// A store decides only what to remove when it is full. It may remove any response at any time, and treats its own
/// failures as missing responses.
///
/// ```swift
/// let store = MemoryCacheStore(limit: 20 << 20)
/// let chain = Chain([Caching(store)], over: transport)
/// ```
public protocol CacheStore: Sendable {
    /// The most bytes of one response that the store keeps, by ``CachedResponse/byteCount``. A streamed response is collected up to
    /// it while it is read. 1 MiB by default.
    var entryLimit: Int { get }

    /// The responses stored for a URL: one for each variant, in any order.
    func responses(for url: HTTPURL) async -> [CachedResponse]

    /// The stored response that matches a request; `nil` if there is none.
    ///
    /// If several match by `Vary`, returns the latest (RFC 9111 section 4.1). The default implementation uses
    /// ``responses(for:)``; implement it in a store that would read every body for that.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - fields: The header fields of the request.
    func response(for url: HTTPURL, matching fields: HTTPFields) async -> CachedResponse?

    /// Stores a response, replacing the one with the same URL and variant.
    func store(_ response: CachedResponse) async

    /// Removes the response with the same URL and variant.
    func remove(_ response: CachedResponse) async

    /// Removes all responses for a URL.
    func removeAll(for url: HTTPURL) async

    /// Removes everything, as when a user signs out.
    func removeAll() async

    /// The URLs that responses are stored for, in any order.
    func urls() async -> [HTTPURL]

    /// The size of all responses in bytes: the sum of ``CachedResponse/byteCount``.
    func byteCount() async -> Int

    /// The stored responses with a `Use-As-Dictionary` field (RFC 9842), in any order. Their bodies may be missing.
    ///
    /// A cache that uses dictionaries asks once, so that it finds those of former runs. None by default: then it knows only
    /// what it stores itself.
    func dictionaries() async -> [CachedResponse]
}

extension CacheStore {
    /// 1 MiB, the default.
    public var entryLimit: Int { 1 << 20 }

    /// The stored response that matches a request, from ``responses(for:)``.
    public func response(for url: HTTPURL, matching fields: HTTPFields) async -> CachedResponse? {
        await responses(for: url).selected(for: fields)
    }

    /// Returns no dictionaries.
    public func dictionaries() async -> [CachedResponse] { [] }
}

/// How much of a store one entry can use.
package enum EntryLimit {
    /// The maximum number of variants of one URL.
    package static let variants = 64

    /// An eighth of the limit, so that one entry doesn't evict everything, or 64 KiB if that is more, within the limit.
    package static func share(of limit: Int) -> Int {
        max(limit / 8, min(limit, 64 << 10))
    }
}
