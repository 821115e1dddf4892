extension Chain {
    /// The middlewares of a client in their order, outermost first. Where one stands, and why, is decided here alone.
    static func standard(
        _ configuration: ClientConfiguration, _ account: ClientAccount, _ base: Result<HTTPURL, InvalidURL>,
        over transport: some HTTPTransport
    ) -> Chain {
        let clock = configuration.clock
        let order: [[(any Middleware)?]] = [
            // Outermost, so that it shows what the caller asked for and got, once.
            [configuration.logging.ofCalls],
            // The user's, per call: sees neither redirects nor retries, and may answer a call itself.
            configuration.middleware,
            // Before anything that sends twice, so that all attempts carry one id, one key and the same fields.
            [RequestIdentifier(standard: configuration), DefaultFields(standard: configuration)],
            [configuration.idempotencyKeys.isEmpty ? nil : IdempotencyKeys(for: configuration.idempotencyKeys)],
            // One trace for all attempts.
            [configuration.tracing],
            // Outside of retries: a refused call costs none, and one that was tried three times counts once.
            [configuration.circuitBreaker.map { CircuitBreaker($0, clock: clock) }],
            // Who shares a transfer shares its retries, and its place in the queues.
            [configuration.coalescesRequests ? Coalescing() : nil],
            // Outside of retries and redirects: by what was asked for, once it is done.
            [ModelInvalidating(base: base, models: account.models, session: account.session)],
            [Retry(configuration.retry, clock: clock)],
            // Inside of retries, which a call that nobody waits for has none of; outside of all that paces and signs calls.
            [account.cacheStore == nil ? nil : Revalidation(clock: clock)],
            // Inside of retries: every attempt is paced, and none holds a place while it waits for the next.
            [configuration.rateLimit.map { RateLimit($0, clock: clock) }],
            [ConcurrencyLimit(standard: configuration)],
            // Directly above redirects, which leave behind what belongs to an origin.
            [account.authentication],
            // Whatever stands below sees every hop as a request of its own, with the cookies and cache of its host.
            [Redirects()],
            // Before anything else is done for a hop that may not be made.
            [HTTPSOnly(except: configuration.plaintextHosts)],
            [account.challenges],
            [account.cookieJar.map { Cookies($0, session: account.session) }],
            // Below cookies, as stored responses may vary by them.
            [account.cacheStore.map { Caching($0, session: account.session, validatesInBackground: false) }],
            // Below whatever sends a content again, which keeps it as it was; each server gets what it understands.
            [RequestCompression()],
            // Below the cache, as what is stored needs no network.
            [Connectivity(configuration.connectivity, monitor: configuration.pathMonitor(), clock: clock)],
            // Every request that goes out is a span of the trace.
            [configuration.tracing == nil ? nil : configuration.traceFields],
            // The user's, per attempt: sees exactly what goes to the transport.
            configuration.attemptMiddleware,
            // Below any cache of the user's own.
            [account.cacheStore == nil ? CacheOnly() : nil],
            // Innermost, so that they show and keep exactly what goes out.
            [configuration.logging.ofRequests, configuration.recorder],
        ]
        return Chain(order.joined().compactMap(\.self), over: transport, account.membership)
    }
}

extension RequestIdentifier {
    fileprivate init?(standard configuration: ClientConfiguration) {
        if case .off = configuration.requestIDs { return nil }
        self.init(configuration.requestIDs)
    }
}

extension DefaultFields {
    fileprivate init?(standard configuration: ClientConfiguration) {
        var fields = configuration.defaultFields
        if let userAgent = configuration.userAgent, !fields.contains(.userAgent) {
            fields.append(userAgent, for: .userAgent)
        }
        guard !fields.isEmpty else { return nil }
        self.init(fields)
    }
}

extension ConcurrencyLimit {
    fileprivate init?(standard configuration: ClientConfiguration) {
        let options = configuration.concurrency
        guard options.isLimited else { return nil }
        self.init(total: options.total, perHost: options.perHost)
    }
}

extension LogOptions {
    /// One line for each call and its outcome. If fields are logged, those lines come from ``ofRequests``.
    fileprivate var ofCalls: (any Middleware)? {
        switch level {
        case .off: nil
        case .basic: Logging(self)
        case .headers, .bodies: CallLog(self)
        }
    }

    /// Each request as it is sent, if fields are logged.
    fileprivate var ofRequests: (any Middleware)? {
        switch level {
        case .off, .basic: nil
        case .headers, .bodies: RequestLog(self)
        }
    }
}
