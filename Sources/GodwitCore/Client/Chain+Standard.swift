extension Chain {
    /// The middlewares of a client, outermost first. Their order is decided only here.
    static func standard(
        _ configuration: ClientConfiguration, _ account: ClientAccount, _ base: Result<HTTPURL, InvalidURL>,
        over transport: some HTTPTransport
    ) -> Chain {
        let clock = configuration.clock
        let inspection = configuration.inspection
        let telemetry = configuration.telemetry
        let rateLimit = configuration.rateLimit.map { RateLimit($0, clock: clock) }
        let concurrency = ConcurrencyLimit(standard: configuration)
        let order: [[(any ChainElement)?]] = [
            // Outermost, to log each call once, as the caller made it.
            [inspection.call, configuration.logging.ofCalls],
            // Outside all that waits.
            [CallTimeout(clock: clock)],
            // The user's, once per call: doesn't see redirects or retries, and can answer a call itself.
            configuration.middleware,
            // Outside everything that resends, so that all attempts carry the same ID, key and fields.
            [RequestIdentifier(standard: configuration), DefaultFields(standard: configuration)],
            [configuration.idempotencyKeys.isEmpty ? nil : IdempotencyKeys(for: configuration.idempotencyKeys)],
            // One trace for all attempts. Telemetry first: its span is the parent of the attempts.
            [telemetry?.callMiddleware, configuration.tracing],
            // Outside retries: a rejected call isn't retried, and a call with several attempts counts once.
            [
                configuration.circuitBreaker.map {
                    CircuitBreaker($0, clock: clock, sharing: configuration.sharedCircuits)
                }
            ],
            // Calls that share a transfer also share its retries and its position in the queues.
            [configuration.coalescesRequests ? Coalescing() : nil],
            // Outside retries and redirects: matches the original request, once the call has finished.
            [ModelInvalidating(base: base, models: account.models, session: account.session)],
            [Retry(configuration.retry, clock: clock)],
            // Inside retries, as background validation is never retried; outside everything that throttles and signs
            // calls.
            [account.validations.map { Revalidation($0, observedBy: telemetry?.callMiddleware) }],
            // Outside limits and credentials, which belong to the https origin.
            [configuration.hsts.store.map { HSTSUpgrade(store: $0) }],
            // Inside retries: every attempt is throttled, and none holds a permit while it waits for the next.
            [rateLimit],
            [concurrency],
            // Directly outside redirects, which drop an origin's credentials.
            [account.authentication],
            // Middlewares inside this see each hop as a separate request, with the cookies and cache of its host.
            [Redirects(hsts: configuration.hsts.store)],
            // Inside redirects, as each hop teaches, and before plain HTTP is refused.
            [configuration.hsts.store.map { HSTS($0) }],
            // Before any work is done for a hop that isn't allowed.
            [HTTPSOnly(except: configuration.plaintextHosts)],
            [account.challenges],
            [account.cookieJar.map { Cookies($0, session: account.session) }],
            // Inside cookies, as stored responses can vary by them.
            [
                account.cacheStore.map {
                    Caching(
                        $0, session: account.session, validations: nil,
                        usesCompressionDictionaries: configuration.usesCompressionDictionaries)
                }
            ],
            [PartialBodies()],
            // Inside everything that resends: each attempt and hop gets what is left.
            [RemainingTime()],
            // Inside everything that resends a body, as that keeps the original; each server gets what it supports.
            [RequestCompression()],
            // Inside the cache, as a stored response needs no network.
            [Connectivity(configuration.connectivity, monitor: configuration.pathMonitor(), clock: clock)],
            // Each request that is sent is a span of the trace.
            [configuration.tracing == nil && telemetry == nil ? nil : configuration.traceFields],
            // The user's, once per attempt: sees exactly what the transport gets.
            configuration.attemptMiddleware,
            // Inside any custom cache.
            [account.cacheStore == nil ? CacheOnly() : nil],
            // Observes exactly what is sent.
            [telemetry?.requestMiddleware],
            // Innermost, to log and record exactly what is sent.
            [configuration.logging.ofRequests, configuration.recorder, inspection.request],
        ]
        let chain = Chain(order.joined().compactMap(\.self), over: transport, account.membership)
        // The other client of the account has the same transport.
        if !account.isForRefresh { telemetry?.attach(ClientGauges(chain, concurrency, rateLimit, account.tokens)) }
        return chain
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
    /// Logs one line per call and outcome. If header fields are logged, ``ofRequests`` writes those lines.
    fileprivate var ofCalls: (any ChainElement)? {
        switch level {
        case .off: nil
        case .basic: Logging(self)
        case .headers, .bodies: CallLog(self)
        }
    }

    /// Logs each request as it is sent, if header fields are logged.
    fileprivate var ofRequests: (any ChainElement)? {
        switch level {
        case .off, .basic: nil
        case .headers, .bodies: RequestLog(self)
        }
    }
}

extension ClientConfiguration {
    /// The middlewares of ``inspector``: one per call, one per request.
    fileprivate var inspection: (call: (any ChainElement)?, request: (any ChainElement)?) {
        guard let inspector else { return (nil, nil) }
        let recorder = TrafficRecorder(inspector)
        return (CallInspection(recorder, sharesTransfers: coalescesRequests), RequestInspection(recorder))
    }
}
