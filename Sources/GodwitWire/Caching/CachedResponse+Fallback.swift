extension CachedResponse {
    /// Whether the response may stand in for a server that failed: not longer after it became stale than
    /// `stale-if-error` of the response or the request says (RFC 5861 section 4), and never where staleness is
    /// forbidden (RFC 9111 section 4.2.4).
    package func standsIn(forRequest fields: HTTPFields, at now: Date) -> Bool {
        let wishes = CacheControl(fields)
        guard !control.mustRevalidate, !control.noCache, !wishes.noCache else { return false }
        guard let window = [control.staleIfError, wishes.staleIfError].compactMap(\.self).max() else { return false }
        return staleness(at: now) <= TimeInterval(window)
    }
}

extension HTTPStatus {
    /// Whether the status says that the server failed, in the sense of `stale-if-error` (RFC 5861 section 4).
    package var isServerFailure: Bool {
        [500, 502, 503, 504].contains(code)
    }
}
