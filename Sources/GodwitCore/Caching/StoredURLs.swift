import GodwitSupport

/// Where the responses for a URL are stored that `No-Vary-Search` makes equivalent to it, for all requests of a cache.
///
/// Learned from the responses that are stored while the cache exists, so that a request that finds nothing asks the store for
/// no other URLs.
final class StoredURLs: Sendable {
    private let index = SparseMutex(SearchVarianceIndex())

    /// The URL of the latest equivalent response; the URL itself if there is none.
    func url(for url: HTTPURL) -> HTTPURL {
        index.isEmpty ? url : index.withLock { $0.storedURL(for: url) }
    }

    /// Notes a response that is stored.
    func note(_ response: CachedResponse) {
        if index.isEmpty, !response.fields.contains(.noVarySearch) { return }
        index.withLock { $0.note(response.url, response.fields) }
    }
}

extension CacheStatus {
    /// The name of our cache.
    private static let own = CacheStatus(cache: "Godwit")

    /// A response from the cache.
    static func hit(_ stored: CachedResponse, at now: Date, _ detail: String? = nil) -> CacheStatus {
        var status = own
        status.isHit = true
        status.timeToLive = Int(saturating: (-stored.staleness(at: now)).rounded(.down))
        status.detail = detail
        return status
    }

    /// A response from the server.
    ///
    /// - Parameter forwardStatus: The status of the server, if the response has another.
    static func forwarded(
        _ reason: ForwardReason, _ forwardStatus: HTTPStatus? = nil, isStored: Bool = false
    ) -> CacheStatus {
        var status = own
        status.forwardReason = reason
        status.forwardStatus = forwardStatus
        status.isStored = isStored
        return status
    }

    /// No response.
    static var nothing: CacheStatus {
        var status = own
        status.detail = "only-if-cached"
        return status
    }
}

extension CacheStatus.ForwardReason {
    /// Why a stored response isn't enough for a request.
    static func insufficient(_ stored: CachedResponse?, at now: Date) -> Self {
        guard let stored else { return .miss }
        return stored.staleness(at: now) >= 0 ? .stale : .request
    }
}

extension HTTPResponse {
    /// The response with what the cache did.
    consuming func noting(_ status: CacheStatus) -> HTTPResponse {
        metrics.cacheStatus = status
        return self
    }
}
