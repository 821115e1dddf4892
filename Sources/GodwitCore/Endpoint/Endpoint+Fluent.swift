extension Endpoint {
    /// Sets a header field, replacing any of that name; `nil` removes it, so that the client's default applies.
    ///
    /// ```swift
    /// Endpoint<Article>.get("articles/1").header(.acceptLanguage, "de")
    /// ```
    ///
    /// A reserved or invalid field makes the call throw `.invalidRequest`.
    ///
    /// - Parameter value: The value; `nil` removes the field.
    public func header(_ name: HTTPField.Name, _ value: String?) -> Self {
        changing { $0.fields[name] = value }
    }

    /// Appends query items. Names may repeat; nothing is replaced.
    ///
    /// ```swift
    /// Endpoint<[Article]>.get("articles").query(["tag": ["sea", "sky"]]).query("page", page)
    /// ```
    public func query(_ items: QueryItems) -> Self {
        changing { $0.query.append(contentsOf: items) }
    }

    /// Appends a query item; `nil` adds none.
    public func query(_ name: String, _ value: (any QueryConvertible)?) -> Self {
        changing { $0.query.append(name, value) }
    }

    /// Replaces the body.
    ///
    /// - Parameter body: The body; `nil` sends none.
    public func body(_ body: RequestBody?) -> Self {
        changing { $0.body = body }
    }

    /// Limits the time of the exchange, separately for each attempt. A longer one throws `.timedOut(.total)`.
    ///
    /// - Parameter total: The limit. Retries and the delays between them don't count.
    public func timeout(_ total: Duration) -> Self {
        options { $0.timeouts.total = total }
    }

    /// Replaces all time limits. For their meaning and defaults, see ``Timeouts``.
    public func timeouts(_ timeouts: Timeouts) -> Self {
        options { $0.timeouts = timeouts }
    }

    /// Sets how the cache may answer.
    ///
    /// - Parameter policy: The policy. Has no effect if the client has no cache.
    public func cachePolicy(_ policy: CachePolicy) -> Self {
        options { $0.cachePolicy = policy }
    }

    /// Sends no credentials, for sign-in requests and public resources.
    public func unauthenticated() -> Self {
        authentication(.none)
    }

    /// Sets whether credentials are attached.
    ///
    /// - Parameter requirement: `.required` is the default.
    public func authentication(_ requirement: AuthenticationRequirement) -> Self {
        options { $0.authentication = requirement }
    }

    /// Sets the priority of the request on its connection.
    ///
    /// - Parameter priority: The priority: a hint, without effect on HTTP/1.1.
    public func priority(_ priority: RequestPriority) -> Self {
        options { $0.priority = priority }
    }

    /// Sets which redirects are followed, instead of the client's policy.
    ///
    /// ```swift
    /// Endpoint<Void>.get("old").redirects(.block).accepting(.found)
    /// ```
    ///
    /// - Parameter policy: Whether, how often and where to redirects are followed.
    public func redirects(_ policy: RedirectPolicy) -> Self {
        options { $0.redirects = policy }
    }

    /// Replaces the client's retry rule.
    ///
    /// - Parameter rule: How often, or never. The client still decides which requests can be repeated safely.
    public func retry(_ rule: RetryOverride) -> Self {
        options { $0.retry = rule }
    }

    /// Sets a key by which the server recognizes a repeated request, so that an unsafe request can be retried.
    ///
    /// Sent as `Idempotency-Key`, unless the endpoint's fields have one.
    ///
    /// ```swift
    /// try await api.send(.create(draft).idempotencyKey("order-17"))         // a POST that may be sent again
    /// ```
    ///
    /// - Parameter key: Unique for the operation; the same for every attempt of it.
    public func idempotencyKey(_ key: String) -> Self {
        options { $0.idempotencyKey = key }
    }

    /// Accepts more statuses as success, in addition to 200 to 299.
    ///
    /// ```swift
    /// Endpoint<Void>.get("articles/1").header(.ifNoneMatch, etag).accepting(.notModified)
    /// ```
    ///
    /// Repeated calls add up. Responses with such a status are decoded like any other.
    public func accepting(_ statuses: HTTPStatus...) -> Self {
        let codes = statuses.map(\.code)
        return options { $0.acceptedStatuses.formUnion(codes) }
    }

    /// Throws `.tooLarge` if the decoded body has more bytes than this.
    ///
    /// Replaces the client's limit for bodies in memory, whether larger or smaller.
    public func responseLimit(_ bytes: Int64) -> Self {
        options { $0.responseLimit.decoded = bytes }
    }

    /// Sets whether stored cookies are sent and received cookies are stored.
    ///
    /// - Parameter handling: `.off` does neither.
    public func cookies(_ handling: CookieHandling) -> Self {
        options { $0.cookies = handling }
    }

    /// Sends the body only after the server has asked for it; see ``RequestOptions/expectContinue``.
    public func expectContinue() -> Self {
        options { $0.expectContinue = true }
    }

    /// Sets which types of network may be used.
    ///
    /// ```swift
    /// endpoint.allowedNetworks([.constrained])                // neither expensive nor cellular networks
    /// ```
    ///
    /// - Parameter networks: The special networks that may be used.
    public func allowedNetworks(_ networks: NetworkAllowance) -> Self {
        options { $0.allowedNetworks = networks }
    }

    /// Sets what happens without an allowed network, instead of the client's policy.
    ///
    /// - Parameter policy: Send anyway, fail immediately, or wait.
    public func connectivity(_ policy: ConnectivityPolicy) -> Self {
        options { $0.connectivity = policy }
    }

    /// Waits for a network instead of failing, for a limited time; `nil` waits until the task is canceled.
    ///
    /// ``RequestOptions/onEvent`` receives `.waitingForConnectivity` when the wait starts.
    ///
    /// ```swift
    /// Endpoint<Void>.post("sync").allowedNetworks([]).waitsForConnectivity(upTo: .seconds(600))
    /// ```
    ///
    /// - Parameter limit: Maximum wait; then `.offline` is thrown.
    public func waitsForConnectivity(upTo limit: Duration? = nil) -> Self {
        connectivity(.wait(upTo: limit))
    }

    /// Calls a handler on progress and at the end of the exchange, on the transport's thread: return quickly.
    ///
    /// Replaces an earlier handler, including the client's.
    ///
    /// ```swift
    /// endpoint.onEvent { if case .sent(let count, let total?) = $0 { show(count, of: total) } }
    /// ```
    ///
    /// - Parameter handler: The handler. Each attempt counts from zero.
    public func onEvent(_ handler: @escaping @Sendable (TransferEvent) -> Void) -> Self {
        options { $0.onEvent = handler }
    }

    private func changing(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Endpoint {
    /// Sets whether the body is compressed, instead of the client's policy.
    ///
    /// - Parameter compression: Whether, from which size, and at which level.
    public func compression(_ compression: ContentCompression) -> Self {
        options { $0.compression = compression }
    }
}

extension Endpoint {
    /// Also invalidates the stored models of another endpoint, once the server accepts this one.
    ///
    /// ```swift
    /// try await api.send(.create(draft).invalidating(.feed()))
    /// ```
    ///
    /// Affects all models of that endpoint's path, whatever their query. Repeated calls add up. Models of this
    /// endpoint's own path and of its parent path become stale anyway: see ``ModelInvalidation/byPath``.
    public func invalidating<Value>(_ endpoint: Endpoint<Value>) -> Self {
        let path = endpoint.path
        return options { $0.invalidatedPaths.append(path) }
    }
}
