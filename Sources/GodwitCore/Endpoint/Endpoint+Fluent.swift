extension Endpoint {
    /// Sets a field, in place of any of that name; nil removes it, so that the client's default applies again.
    ///
    /// ```swift
    /// Endpoint<Article>.get("articles/1").header(.acceptLanguage, "de")
    /// ```
    ///
    /// A field that only the transport may write, or one that cannot be sent, makes the call throw `.invalidRequest`.
    ///
    /// - Parameters:
    ///   - name: The name, compared without case.
    ///   - value: The value; nil removes the field.
    public func header(_ name: HTTPField.Name, _ value: String?) -> Self {
        changing { $0.fields[name] = value }
    }

    /// Adds query items behind those already there.
    ///
    /// Names may repeat; nothing is replaced.
    ///
    /// ```swift
    /// Endpoint<[Article]>.get("articles").query(["tag": ["sea", "sky"]]).query("page", page)
    /// ```
    ///
    /// - Parameter items: Names and values, not encoded.
    public func query(_ items: QueryItems) -> Self {
        changing { $0.query.append(contentsOf: items) }
    }

    /// Adds one query item; nil adds none.
    ///
    /// - Parameters:
    ///   - name: The name, not encoded.
    ///   - value: The value, not encoded.
    public func query(_ name: String, _ value: (any QueryConvertible)?) -> Self {
        changing { $0.query.append(name, value) }
    }

    /// Replaces the content.
    ///
    /// Nil sends none.
    ///
    /// - Parameter body: The content.
    public func body(_ body: RequestBody?) -> Self {
        changing { $0.body = body }
    }

    /// Limits the time of the whole exchange; each attempt has it anew.
    ///
    /// A longer exchange throws `.timedOut(.total)`.
    ///
    /// - Parameter total: The limit. Retries and the pauses between them are not part of it.
    public func timeout(_ total: Duration) -> Self {
        options { $0.timeouts.total = total }
    }

    /// Replaces all time limits.
    ///
    /// See ``Timeouts`` for what is measured and the defaults.
    ///
    /// - Parameter timeouts: The limits for connecting, for silence and for the whole.
    public func timeouts(_ timeouts: Timeouts) -> Self {
        options { $0.timeouts = timeouts }
    }

    /// Says how the cache may answer.
    ///
    /// - Parameter policy: How; has no effect where the client has no cache.
    public func cachePolicy(_ policy: CachePolicy) -> Self {
        options { $0.cachePolicy = policy }
    }

    /// Sends no credentials: for signing in, or for what is public.
    public func unauthenticated() -> Self {
        authentication(.none)
    }

    /// Says whether credentials are attached.
    ///
    /// - Parameter requirement: `.required` is the default.
    public func authentication(_ requirement: AuthenticationRequirement) -> Self {
        options { $0.authentication = requirement }
    }

    /// Says how urgent the request is among others on its connection.
    ///
    /// - Parameter priority: The urgency; a hint, which HTTP/1.1 does not carry.
    public func priority(_ priority: RequestPriority) -> Self {
        options { $0.priority = priority }
    }

    /// Says what happens on a redirect.
    ///
    /// Replaces the client's policy.
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
    /// - Parameter rule: How often, or never. What may be sent again stays the client's to decide.
    public func retry(_ rule: RetryOverride) -> Self {
        options { $0.retry = rule }
    }

    /// Sets the key by which the server knows a repeated request, which makes it safe to send an unsafe one again.
    ///
    /// Sent as `Idempotency-Key`, unless the endpoint's fields have one.
    ///
    /// ```swift
    /// try await api.send(.create(draft).idempotencyKey("order-17"))         // a POST that may be sent again
    /// ```
    ///
    /// - Parameter key: Unique for the operation; the same whenever the same operation is tried again.
    public func idempotencyKey(_ key: String) -> Self {
        options { $0.idempotencyKey = key }
    }

    /// Takes further statuses as success, beside 200 to 299.
    ///
    /// ```swift
    /// Endpoint<Void>.get("articles/1").header(.ifNoneMatch, etag).accepting(.notModified)
    /// ```
    ///
    /// Repeated calls add up. The response of such a status is decoded as any other.
    ///
    /// - Parameter statuses: The statuses.
    public func accepting(_ statuses: HTTPStatus...) -> Self {
        let codes = statuses.map(\.code)
        return options { $0.acceptedStatuses.formUnion(codes) }
    }

    /// Ends the exchange with `.tooLarge` when the content, its codings undone, has more bytes than this.
    ///
    /// It replaces the client's limit for bodies held in memory, upwards as well as downwards.
    ///
    /// - Parameter bytes: The limit, in bytes.
    public func responseLimit(_ bytes: Int64) -> Self {
        options { $0.responseLimit.decoded = bytes }
    }

    /// Says whether stored cookies are sent and received ones are stored.
    ///
    /// - Parameter handling: `.off` leaves the client's jar alone in both directions.
    public func cookies(_ handling: CookieHandling) -> Self {
        options { $0.cookies = handling }
    }

    /// Sends the body only once the server has seen the head and asks for it; see ``RequestOptions/expectContinue``.
    public func expectContinue() -> Self {
        options { $0.expectContinue = true }
    }

    /// Says which kinds of network may be used.
    ///
    /// ```swift
    /// endpoint.allowedNetworks([.constrained])                // no network that costs by volume, no mobile one
    /// ```
    ///
    /// - Parameter networks: What may be used beside networks that are nothing special.
    public func allowedNetworks(_ networks: NetworkAllowance) -> Self {
        options { $0.allowedNetworks = networks }
    }

    /// Says what happens where there is no network that the request may use.
    ///
    /// Replaces the client's policy.
    ///
    /// - Parameter policy: Send all the same, fail at once, or wait.
    public func connectivity(_ policy: ConnectivityPolicy) -> Self {
        options { $0.connectivity = policy }
    }

    /// Waits for a network instead of failing, at most so long; nil waits until the task is cancelled.
    ///
    /// ``RequestOptions/onEvent`` is told `.waitingForConnectivity` when that begins.
    ///
    /// ```swift
    /// Endpoint<Void>.post("sync").allowedNetworks([]).waitsForConnectivity(upTo: .seconds(600))
    /// ```
    ///
    /// - Parameter limit: How long at most; `.offline` is thrown afterwards.
    public func waitsForConnectivity(upTo limit: Duration? = nil) -> Self {
        connectivity(.wait(upTo: limit))
    }

    /// Is told of progress and of the end of the exchange; called on the transport's thread, so return quickly.
    ///
    /// It replaces a handler set before, also the client's.
    ///
    /// ```swift
    /// endpoint.onEvent { if case .sent(let count, let total?) = $0 { show(count, of: total) } }
    /// ```
    ///
    /// - Parameter handler: Called for each attempt anew: a retry begins to count at zero again.
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
    /// Says whether the content is compressed, whatever the client does.
    ///
    /// - Parameter compression: Whether, from which size on, and how hard it is tried.
    public func compression(_ compression: ContentCompression) -> Self {
        options { $0.compression = compression }
    }
}

extension Endpoint {
    /// Makes the stored models of another endpoint stale as well, once the server accepts this one.
    ///
    /// ```swift
    /// try await api.send(.create(draft).invalidating(.feed()))
    /// ```
    ///
    /// All models of that endpoint's path count, whatever their query. Repeated calls add up. The models of this endpoint's
    /// own path, and of the path one level up, become stale anyway: see ``ModelInvalidation/byPath``.
    ///
    /// - Parameter endpoint: What changes with this one.
    public func invalidating<Value>(_ endpoint: Endpoint<Value>) -> Self {
        let path = endpoint.path
        return options { $0.invalidatedPaths.append(path) }
    }
}
