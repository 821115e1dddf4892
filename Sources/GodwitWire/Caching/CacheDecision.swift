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
    /// By 504, as the request may not go to the network (section 5.2.1.7).
    case gatewayTimeout

    /// Decides for a GET or HEAD request.
    ///
    /// - Parameter stored: All responses stored for the request's URL.
    package init(_ request: HTTPFields, stored: some Collection<CachedResponse>, mode: CacheMode, now: Date) {
        let wishes = CacheWishes(request, mode: mode)
        guard !request.hasPreconditions, let response = stored.selected(for: request),
            !response.status.refusesCredential
        else {
            self = wishes.isOffline ? .gatewayTimeout : .fetch(fallback: nil)
            return
        }
        switch wishes.standing(of: response, at: now) {
        case .good: self = .use(response)
        case .usable: self = wishes.isOffline ? .use(response) : .useWhileValidating(response)
        case .unconfirmed where wishes.isOffline: self = .gatewayTimeout
        case .unconfirmed:
            let conditions = response.conditions
            self = conditions.isEmpty ? .fetch(fallback: response) : .validate(response, conditions: conditions)
        }
    }
}

extension HTTPFields {
    /// Whether the request has conditions of its own, which the server has to judge (RFC 9110 section 13.1).
    package var hasPreconditions: Bool {
        [.ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange].contains(where: contains)
    }
}

extension CachedResponse {
    /// What asks the server whether the response still holds (section 4.3.1); empty where it has no validator.
    package var conditions: HTTPFields {
        var conditions: HTTPFields = [:]
        conditions[.ifNoneMatch] = fields[.etag]
        conditions[.ifModifiedSince] = fields[.lastModified]
        return conditions
    }
}
