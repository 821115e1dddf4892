/// How a request is answered: from the cache, after asking the server, or by it alone (RFC 9111 section 4).
package enum CacheDecision: Sendable, Hashable {
    /// By this stored response.
    case use(CachedResponse)
    /// By this stored response, which is stale and is validated meanwhile (RFC 5861 section 3).
    case useWhileValidating(CachedResponse)
    /// By this stored response if the server confirms it; the fields make the request conditional (section 4.3.1).
    case validate(CachedResponse, conditions: HTTPFields)
    /// By the server. The stored response, where there is one, may still stand in for a server that fails.
    case fetch(fallback: CachedResponse?)
    /// By 304, as the requester's own condition is met by this stored response (section 4.3.2).
    case notModified(CachedResponse)
    /// By 504, as the request may not go to the network (section 5.2.1.7).
    case gatewayTimeout

    /// Decides for a GET or HEAD request.
    ///
    /// - Parameter stored: All responses stored for the request's URL.
    package init(_ request: HTTPFields, stored: some Collection<CachedResponse>, mode: CacheMode, now: Date) {
        self.init(request, stored: stored.selected(for: request), mode: mode, now: now)
    }

    /// Decides for a GET or HEAD request.
    ///
    /// - Parameter stored: The stored response that the request's fields select; nil if there is none.
    package init(_ request: HTTPFields, stored: CachedResponse?, mode: CacheMode, now: Date) {
        let wishes = CacheWishes(request, mode: mode)
        let condition = RequestCondition(request)
        guard condition != .forServer, let response = stored, !response.status.refusesCredential else {
            self = wishes.isOffline ? .gatewayTimeout : .fetch(fallback: nil)
            return
        }
        let standing = wishes.standing(of: response, at: now)
        if condition != .none {
            self = Self.conditional(condition, response, standing, isOffline: wishes.isOffline)
            return
        }
        switch standing {
        case .good: self = .use(response)
        case .usable: self = wishes.isOffline ? .use(response) : .useWhileValidating(response)
        case .unconfirmed where wishes.isOffline: self = .gatewayTimeout
        case .unconfirmed:
            let conditions = response.conditions
            self = conditions.isEmpty ? .fetch(fallback: response) : .validate(response, conditions: conditions)
        }
    }
}

extension CacheDecision {
    /// Decides for a request with a condition of its own. What is not fresh is left to the server, which gets the condition
    /// as it is.
    private static func conditional(
        _ condition: RequestCondition, _ response: CachedResponse, _ standing: CacheWishes.Standing, isOffline: Bool
    ) -> CacheDecision {
        guard standing == .good || (standing == .usable && isOffline), let isMet = condition.isMet(by: response) else {
            return isOffline ? .gatewayTimeout : .fetch(fallback: nil)
        }
        return isMet ? .notModified(response) : .use(response)
    }
}

extension CachedResponse {
    /// What asks the server whether the response still holds (section 4.3.1); empty where it has no validator.
    package var conditions: HTTPFields {
        var conditions: HTTPFields = [:]
        conditions[.ifNoneMatch] = fields.agreedValue(of: .etag)
        conditions[.ifModifiedSince] = fields.agreedValue(of: .lastModified)
        return conditions
    }
}

/// How far a request lets the cache go.
package enum CacheMode: Sendable, Hashable {
    /// As RFC 9111 says.
    case standard
    /// A stored response will do at any age, even where the server forbids it; else the network.
    case anyAge
    /// A stored response will do at any age; never the network.
    case anyAgeOnly
    /// A stored response will do once the server confirmed it.
    case confirmed
}

/// What a request that changes something makes unusable (RFC 9111 section 4.4).
package enum CacheInvalidation {
    /// The URLs whose stored responses may not be used any more: the one requested, and those that `Location` and
    /// `Content-Location` name, if they are of the same origin. None where the method is safe or the server refused.
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
