/// How the cache can answer a request.
///
/// ```swift
/// let confirmed = try await api.send(.article(id: 42).cachePolicy(.reloadRevalidating))
/// ```
public enum CachePolicy: Sendable, Hashable {
    /// Follows RFC 9111: returns fresh responses, and validates stale ones.
    case useProtocol
    /// Never from the cache. The response is stored.
    case reloadIgnoringCache
    /// From the cache at any age; otherwise from the server.
    case cacheElseLoad
    /// Only from the cache, at any age: nothing is sent. Throws `.notCached` if nothing is stored.
    case cacheOnly
    /// Only after the server has confirmed the stored response.
    case reloadRevalidating
}

extension CachePolicy: RequestOption {
    public static var defaultValue: CachePolicy { .useProtocol }
}

extension RequestOptions {
    /// How the cache can answer. ``CachePolicy/useProtocol`` by default.
    public var cachePolicy: CachePolicy {
        @inline(__always) get { self[CachePolicy.self] }
        set { self[CachePolicy.self] = newValue }
    }
}
