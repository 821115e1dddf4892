/// What a request asks of a stored response (RFC 9111 section 5.2.1).
struct CacheWishes {
    private let control: CacheControl
    private let mode: CacheMode
    private let wantsConfirmation: Bool

    enum Standing {
        /// May be used.
        case good
        /// May be used while it is being validated.
        case usable
        /// May be used only after validation.
        case unconfirmed
    }

    init(_ request: HTTPFields, mode: CacheMode) {
        control = CacheControl(request)
        self.mode = mode
        // `Pragma: no-cache` stands for the directive only where there are none (section 5.4).
        let pragma = request.contains(.cacheControl) ? nil : request[.pragma]
        wantsConfirmation = mode == .confirmed || control.noCache || pragma?.asciiLowercased == "no-cache"
    }

    /// Whether the request may not go to the network.
    var isOffline: Bool { mode == .anyAgeOnly || control.onlyIfCached }

    func standing(of response: CachedResponse, at now: Date) -> Standing {
        if mode == .anyAge || mode == .anyAgeOnly { return .good }
        guard !wantsConfirmation, !response.control.noCache, isYoungEnough(response, at: now) else {
            return .unconfirmed
        }
        let staleness = response.staleness(at: now)
        if staleness < 0 { return -staleness >= TimeInterval(control.minFresh ?? 0) ? .good : .unconfirmed }
        return control.minFresh == nil ? staleStanding(of: response, staleness) : .unconfirmed
    }

    /// What becomes of a stale response (section 4.2.4).
    private func staleStanding(of response: CachedResponse, _ staleness: TimeInterval) -> Standing {
        guard !response.control.mustRevalidate else { return .unconfirmed }
        if let maxStale = control.maxStale, staleness <= TimeInterval(maxStale) { return .good }
        // A request that names an age wants nothing stale, unless it says by how much (section 5.2.1.1).
        guard control.maxAge == nil, let window = response.control.staleWhileRevalidate,
            staleness <= TimeInterval(window)
        else { return .unconfirmed }
        return .usable
    }

    private func isYoungEnough(_ response: CachedResponse, at now: Date) -> Bool {
        guard let maxAge = control.maxAge else { return true }
        return response.age(at: now) <= TimeInterval(maxAge)
    }
}
