/// Answers from stored responses where RFC 9111 lets a private cache do so, and stores what may be stored.
///
/// ```swift
/// let chain = Chain([Caching(MemoryCacheStore())], over: transport)
/// ```
///
/// - GET and HEAD are looked up; what is stale is validated by its `ETag` and `Last-Modified`, and a 304 is answered
///   with the stored content. Whoever asks never sees a 304 that was not asked for.
/// - A response taken from the store carries `Age` (section 5.1), and no `Set-Cookie`; its metrics name ``TransferMetrics/Source/cache``.
/// - `stale-while-revalidate` and `stale-if-error` are honoured (RFC 5861). In a client's chain a stale response is validated
///   by a call of its own, which has credentials and cookies and keeps to the client's limits; elsewhere by the rest of the
///   chain that this middleware is in.
/// - A request with `If-None-Match` or `If-Modified-Since` is answered from a fresh response: by a 304, or by the response if
///   the condition does not hold (section 4.3.2). Other conditions go to the server.
/// - `no-cache="name"` withholds the named fields until the server confirmed the response.
/// - A change (POST, PUT, …) that the server accepts makes the stored responses of its URL unusable, and those of the
///   same origin that `Location` and `Content-Location` name (section 4.4).
/// - ``RequestOptions/cachePolicy`` overrides the rules for one request. `.cacheOnly` throws `.notCached` if nothing stored
///   may be used; the request's own `Cache-Control: only-if-cached` is answered by a 504 (section 5.2.1.7).
/// - Buffered responses are stored. A streamed one is answered from the store where that is possible, else passed
///   through; one that goes to a file, a request for a range and a GET with content pass by the cache.
///
/// Place it inside redirects and cookies, so that each hop is a request of its own. A cache is one person's: a client
/// empties its store when the account changes, and neither stores nor uses a response across that change
/// (``AccountSession``). A 401 or 407 is never stored: it says something of a credential, not of the resource.
public struct Caching: Middleware {
    private let store: any CacheStore
    private let ledger = CacheLedger<HTTPURL>()
    private let now: @Sendable () -> Date
    private let session: AccountSession?
    /// False if a ``Revalidation`` further out does it.
    private let validatesInBackground: Bool

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - store: What keeps the responses. Middlewares may share one.
    ///   - session: Whose responses they are. `nil`, the default, if that never changes. A client sets it.
    ///   - now: The wall clock, by which servers date their responses.
    public init(
        _ store: some CacheStore, session: AccountSession? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(store, session: session, validatesInBackground: true, now: now)
    }

    init(
        _ store: some CacheStore, session: AccountSession?, validatesInBackground: Bool,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.session = session
        self.store = store
        self.validatesInBackground = validatesInBackground
        self.now = now
    }

    /// Answers the call from the store where that is allowed; else passes it on, and stores what comes back.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// Throws what the call throws. A failure of the store is a response that was not there.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let request = call.request
        let exchange = CacheExchange(
            call: call, next: next, store: store, ledger: ledger,
            account: session.map { CacheAccount(session: $0, stamp: $0.stamp(of: call)) }, now: now)
        guard request.usesCache else {
            guard !request.isOffline else { return try .notStored(for: request) }
            return try await request.method.isSafe ? next(call) : exchange.change()
        }
        guard let mode = request.options.cachePolicy.mode else { return try await exchange.fetch(fallback: nil) }
        let found = await store.response(for: request.url, matching: request.fields)
        // Asked after it was read: what was stored until now is of the call's account.
        let stored = exchange.account?.isCurrent ?? true ? found : nil
        let time = now()
        switch CacheDecision(request.fields, stored: stored, mode: mode, now: time) {
        case .use(let response):
            return try response.answer(to: request, at: time)
        case .useWhileValidating(let response):
            var answer = try response.answer(to: request, at: time)
            answer.staleUse = .untilValidated
            if validatesInBackground { exchange.validateInBackground(response) }
            return answer
        case .notModified(let response):
            return response.notModified(for: request, at: time)
        case .validate(let response, let conditions):
            return try await exchange.validate(response, conditions: conditions)
        case .fetch(let fallback):
            return try await exchange.fetch(fallback: fallback)
        case .gatewayTimeout:
            return try .notStored(for: request)
        }
    }
}

extension HTTPRequest {
    /// Whether the request may be answered from a cache, and its response may be stored.
    fileprivate var usesCache: Bool {
        guard method == .get || method == .head, body == nil, !fields.contains(.range) else { return false }
        if case .file = delivery { return false }
        return true
    }

    /// Whether the request may not go to the network (RFC 9111 section 5.2.1.7).
    fileprivate var isOffline: Bool {
        options.cachePolicy == .cacheOnly || CacheControl(fields).onlyIfCached
    }
}

extension CachePolicy {
    /// How far the cache may go; `nil` if no stored response may be used.
    fileprivate var mode: CacheMode? {
        switch self {
        case .useProtocol: .standard
        case .reloadIgnoringCache: nil
        case .cacheElseLoad: .anyAge
        case .cacheOnly: .anyAgeOnly
        case .reloadRevalidating: .confirmed
        }
    }
}

extension HTTPResponse {
    /// Says that nothing stored answers a request that may not go to the network: by an error to who chose `.cacheOnly`,
    /// by the 504 of RFC 9111 section 5.2.1.7 to who sent `only-if-cached`, as if this were a cache on the way.
    fileprivate static func notStored(for request: HTTPRequest) throws(NetworkError) -> HTTPResponse {
        guard request.options.cachePolicy != .cacheOnly else { throw .notCached(request) }
        return HTTPResponse(head: HTTPResponseHead(status: .gatewayTimeout), metrics: .cached, request: request)
    }
}

/// Keeps requests that may be answered from a cache alone off the network, in a chain without a cache.
struct CacheOnly: RequestMiddleware {
    static let isSynchronous = true

    func handles(_ call: Call) -> Bool { call.request.options.cachePolicy == .cacheOnly }

    func prepare(_ call: inout Call) throws(NetworkError) {
        throw .notCached(call.request)
    }
}

extension NetworkError {
    fileprivate static func notCached(_ request: HTTPRequest) -> NetworkError {
        NetworkError(.notCached, phase: .middleware, request: request)
    }
}

extension CachedResponse {
    /// The response as it answers a request without asking the server: with its age (RFC 9111 sections 4 and 5.1).
    func answer(to request: HTTPRequest, at now: Date) throws(NetworkError) -> HTTPResponse {
        var response = try answer(to: request, unconfirmedFields)
        response.head.fields[.age] = ageValue(at: now)
        return response
    }

    /// The 304 that tells a request with a condition that what its sender has still holds (RFC 9110 section 15.4.5).
    func notModified(for request: HTTPRequest, at now: Date) -> HTTPResponse {
        var fields = unconfirmedFields.keeping(Self.ofNotModified.contains)
        fields[.age] = ageValue(at: now)
        return HTTPResponse(
            head: HTTPResponseHead(status: .notModified, fields: fields), metrics: .cached, request: request)
    }

    private static let ofNotModified: Set<HTTPField.Name> = [
        .cacheControl, .contentLocation, .date, .etag, .expires, .lastModified, .vary,
    ]

    /// Never more than the field can say; a clock that jumped must not trap.
    private func ageValue(at now: Date) -> String {
        String(min(Int(saturating: age(at: now)), DeltaSeconds.largest))
    }

    /// The response as it answers a request that the server confirmed it for.
    ///
    /// Cookies are left out: they were set when the response came, and may have changed since. Throws `.tooLarge` where
    /// the content exceeds what the request allows.
    func answer(to request: HTTPRequest) throws(NetworkError) -> HTTPResponse {
        try answer(to: request, fields)
    }

    private func answer(to request: HTTPRequest, _ shown: HTTPFields) throws(NetworkError) -> HTTPResponse {
        var fields = shown
        fields.remove(.setCookie)
        let head = HTTPResponseHead(status: status, fields: fields)
        guard request.method != .head else { return HTTPResponse(head: head, metrics: .cached, request: request) }
        if let limit = request.contentLimit, body.count > limit {
            throw NetworkError(.tooLarge(limit: limit), phase: .receiving, request: request, response: head)
        }
        return HTTPResponse(head: head, body: .bytes(body), metrics: .cached, request: request)
    }
}

extension HTTPRequest {
    /// The most bytes of decoded content that the request takes.
    fileprivate var contentLimit: Int64? {
        guard case .buffered(let limit) = delivery else { return options.responseLimit.decoded }
        return min(Int64(limit), options.responseLimit.decoded ?? .max)
    }
}
