/// How to answer a request: from the cache, after validation, or from the server (RFC 9111 section 4).
package enum CacheDecision: Sendable, Hashable {
    /// Use this stored response.
    case use(CachedResponse)
    /// Use this stale response and revalidate it in the background (RFC 5861 section 3).
    case useWhileValidating(CachedResponse)
    /// Use this stored response if the server confirms it; `conditions` makes the request conditional (section 4.3.1).
    case validate(CachedResponse, conditions: HTTPFields)
    /// Send the request. The stored response, if any, may be used if the server fails.
    case fetch(fallback: CachedResponse?)
    /// Answer with 304: this stored response meets the request's condition (section 4.3.2).
    case notModified(CachedResponse)
    /// Answer with 504: the request must not use the network (section 5.2.1.7).
    case gatewayTimeout

    /// Decides for a GET or HEAD request.
    ///
    /// - Parameter stored: All responses stored for the request's URL.
    package init(_ request: HTTPFields, stored: some Collection<CachedResponse>, mode: CacheMode, now: Date) {
        self.init(request, stored: stored.selected(for: request), mode: mode, now: now)
    }

    /// Decides for a GET or HEAD request.
    ///
    /// - Parameter stored: The stored response that the request's fields select; `nil` if there is none.
    package init(_ request: HTTPFields, stored: CachedResponse?, mode: CacheMode, now: Date) {
        let directives = RequestDirectives(request, mode: mode)
        let condition = stored == nil ? RequestCondition.none : RequestCondition(request)
        guard condition != .forServer, let response = stored, !response.status.refusesCredential else {
            self = directives.isOffline ? .gatewayTimeout : .fetch(fallback: nil)
            return
        }
        let standing = directives.standing(of: response, at: now)
        if condition != .none {
            self = Self.conditional(condition, response, standing, isOffline: directives.isOffline)
            return
        }
        switch standing {
        case .good: self = .use(response)
        case .usable: self = directives.isOffline ? .use(response) : .useWhileValidating(response)
        case .unconfirmed where directives.isOffline: self = .gatewayTimeout
        case .unconfirmed:
            let conditions = response.conditions
            self = conditions.isEmpty ? .fetch(fallback: response) : .validate(response, conditions: conditions)
        }
    }
}

extension CacheDecision {
    /// Decides for a conditional request. Unless a fresh response decides, the server gets the condition unchanged.
    private static func conditional(
        _ condition: RequestCondition, _ response: CachedResponse, _ standing: RequestDirectives.Standing,
        isOffline: Bool
    ) -> CacheDecision {
        guard standing == .good || (standing == .usable && isOffline), let isMet = condition.isMet(by: response) else {
            return isOffline ? .gatewayTimeout : .fetch(fallback: nil)
        }
        return isMet ? .notModified(response) : .use(response)
    }
}

extension CachedResponse {
    /// The fields that make a request conditional on this response (section 4.3.1); empty without a validator.
    package var conditions: HTTPFields {
        var conditions: HTTPFields = [:]
        conditions[.ifNoneMatch] = fields.agreedValue(of: .etag)
        conditions[.ifModifiedSince] = fields.agreedValue(of: .lastModified)
        return conditions
    }
}

/// How a request may use the cache.
package enum CacheMode: Sendable, Hashable {
    /// According to RFC 9111.
    case standard
    /// Use a stored response of any age, even if the server forbids it; otherwise the network.
    case anyAge
    /// Use a stored response of any age; never the network.
    case anyAgeOnly
    /// Use a stored response only after the server confirmed it.
    case confirmed
}

/// The stored responses that an unsafe request invalidates (RFC 9111 section 4.4).
package enum CacheInvalidation {
    /// The URLs to invalidate: the request's, and those in `Location` and `Content-Location` on the same origin. Empty
    /// if the method is safe or the request failed.
    package static func urls(
        method: HTTPMethod, url: HTTPURL, status: HTTPStatus, response: HTTPFields
    ) -> [HTTPURL] {
        guard !method.isSafe, status.isSuccessful || status.kind == .redirection else { return [] }
        let named = [HTTPField.Name.location, .contentLocation].compactMap { name in
            response.agreedValue(of: name).flatMap { try? url.resolving($0) }
        }
        return [url] + named.filter { $0 != url && $0.isSameOrigin(as: url) }
    }
}
