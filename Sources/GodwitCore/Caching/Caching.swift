import GodwitSupport

/// Returns stored responses, and stores new ones, as RFC 9111 allows a private cache.
///
/// ```swift
/// let chain = Chain([Caching(MemoryCacheStore())], over: transport)
/// ```
///
/// - GET and HEAD use the store. A stale response is validated by its `ETag` and `Last-Modified`; after a 304, the
///   stored body is returned. A caller gets a 304 only for a condition in its own request.
/// - A stored response has an `Age` field (section 5.1) and no `Set-Cookie`, unless the cache keeps it; its metrics have the
///   source ``TransferMetrics/Source/cache``. ``TransferMetrics/cacheStatus`` tells what the cache did, in terms of RFC 9211.
/// - `No-Vary-Search` makes URLs equivalent whose queries differ in what doesn't matter
///   (draft-ietf-httpbis-no-vary-search), among the responses that were stored while the cache exists.
/// - `stale-while-revalidate` and `stale-if-error` are supported (RFC 5861). A client validates with a separate call,
///   with credentials, cookies and the client's limits; a custom chain validates with the rest of the chain.
/// - A request with `If-None-Match` or `If-Modified-Since` is answered from a fresh response: with a 304, or with the
///   response if the condition is false (section 4.3.2). Requests with other conditions go to the server.
/// - `no-cache="name"` hides the named fields until the server has confirmed the response.
/// - An accepted change (POST, PUT, …) invalidates the stored responses of its URL, and of the URLs of the same origin
///   in `Location` and `Content-Location` (section 4.4).
/// - ``RequestOptions/cachePolicy`` overrides the rules for one request. `.cacheOnly` throws `.notCached` if no stored
///   response can be used; `Cache-Control: only-if-cached` in the request gets a 504 instead (section 5.2.1.7).
/// - A streamed response is stored once it has been read to its end, if it isn't larger than ``CacheStore/entryLimit``; until
///   then so many bytes are held in memory. Event streams aren't stored. Requests for a file or a range, and a GET with a body,
///   bypass the cache.
///
/// Place it inside redirects and cookies, so that it handles each hop. A cache belongs to one person: a client empties
/// its store when the account changes, and neither stores nor uses a response across that change (``AccountSession``).
/// A 401 or 407 is never stored, because it concerns a credential, not the resource.
public struct Caching: Middleware {
    private let cache: SharedCache
    /// `nil` if a ``Revalidation`` in the same chain validates.
    private let validations: BackgroundValidations?

    /// Creates a middleware that caches responses in a store.
    ///
    /// - Parameters:
    ///   - store: Keeps the responses. Middlewares can share one.
    ///   - session: The owner of the responses; a client sets it. `nil`, the default, if the account never changes.
    ///   - keepsSetCookie: Whether stored responses have the `Set-Cookie` fields that the server sent, as those of a shared
    ///     cache have (section 7.3). `false` by default: a jar would take old values for new ones.
    ///   - usesCompressionDictionaries: Whether stored responses are offered as dictionaries, as
    ///     ``ClientConfiguration/usesCompressionDictionaries`` says. `false` by default.
    ///   - now: The wall clock, to compare with the dates of servers.
    public init(
        _ store: some CacheStore, session: AccountSession? = nil, keepsSetCookie: Bool = false,
        usesCompressionDictionaries: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            store, session: session, validations: BackgroundValidations(), keepsSetCookie: keepsSetCookie,
            usesCompressionDictionaries: usesCompressionDictionaries, now: now)
    }

    init(
        _ store: some CacheStore, session: AccountSession?, validations: BackgroundValidations?,
        keepsSetCookie: Bool = false, usesCompressionDictionaries: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        cache = SharedCache(
            store, session: session, keepsSetCookie: keepsSetCookie,
            dictionaries: usesCompressionDictionaries ? StoredDictionaries(store, now: now) : nil, now: now)
        self.validations = validations
    }

    /// Returns the cache's link in a chain.
    public func link(before next: ChainLink?) -> ChainLink { ChainLink(self, next, pass: pass) }

    /// Answers from memory, or lets a call pass for which it has nothing: there is nothing to wait for.
    @Sendable private func pass(_ call: Call, next: Next) throws(NetworkError) -> Admission? {
        guard let memory = cache.memory, cache.dictionaries == nil, call.request.usesCache,
            call.request.options.cachePolicy == .useProtocol
        else { return nil }
        return try CacheExchange(call, next, cache).pass(by: memory)
    }

    /// Answers the call from the store if possible; otherwise, passes it on, and stores the response.
    ///
    /// If the store fails, the response counts as not stored.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let request = call.request
        let exchange = CacheExchange(call, next, cache)
        guard request.usesCache else {
            guard !request.isOffline else { return try .notStored(for: request) }
            return try await request.method.isSafe
                ? exchange.send(call).noting(.forwarded(.bypass)) : exchange.change()
        }
        guard let mode = request.options.cachePolicy.mode else {
            return try await exchange.fetch(because: .request, fallback: nil)
        }
        let stored = exchange.own(await exchange.stored())
        let time = cache.now()
        switch CacheDecision(request.fields, stored: stored, mode: mode, now: time) {
        case .use(let response):
            return try exchange.answer(from: response, at: time)
        case .useWhileValidating(let response):
            var answer = try exchange.answer(from: response, at: time)
            answer.cacheUse = .untilValidated
            validations?.start(call) { validation throws(NetworkError) in try await handle(validation, next: next) }
            return answer
        case .notModified(let response):
            return response.notModified(for: request, at: time).noting(.hit(response, at: time))
        case .validate(let response, let conditions):
            return try await exchange.validate(response, conditions: conditions)
        case .fetch(let fallback):
            return try await exchange.fetch(because: .insufficient(stored, at: time), fallback: fallback)
        case .gatewayTimeout:
            return try .notStored(for: request)
        }
    }
}

extension HTTPRequest {
    /// Whether the request can be answered from a cache, and its response stored.
    fileprivate var usesCache: Bool {
        guard method == .get || method == .head, body == nil, !fields.contains(.range) else { return false }
        if case .file = delivery { return false }
        return true
    }

    /// Whether the request must not go to the network (RFC 9111 section 5.2.1.7).
    fileprivate var isOffline: Bool {
        options.cachePolicy == .cacheOnly || CacheControl(fields).onlyIfCached
    }
}

extension CachePolicy {
    /// Which stored responses can be used; `nil` for none.
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
    /// The result of a request that must not go to the network and can't be answered from the store: an error for
    /// `.cacheOnly`, a 504 for `only-if-cached`, as from a cache in a proxy (RFC 9111 section 5.2.1.7).
    fileprivate static func notStored(for request: HTTPRequest) throws(NetworkError) -> HTTPResponse {
        guard request.options.cachePolicy != .cacheOnly else { throw .notCached(request) }
        var response = HTTPResponse(
            head: HTTPResponseHead(status: .gatewayTimeout), metrics: .cached, request: request)
        response.cacheUse = .nothingStored
        return response.noting(.nothing)
    }
}

/// Keeps requests that may be answered from a cache alone off the network, in a chain without a cache. It changes none, so
/// a log outside it sees what is sent.
struct CacheOnly: ObservingMiddleware {
    func handles(_ call: Call) -> Bool { call.request.options.cachePolicy == .cacheOnly }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        throw .notCached(call.request)
    }
}

extension NetworkError {
    fileprivate static func notCached(_ request: HTTPRequest) -> NetworkError {
        NetworkError(.notCached, phase: .middleware, request: request)
    }
}

extension CachedResponse {
    /// The unconfirmed response to a request, with its age (RFC 9111 sections 4 and 5.1).
    func answer(
        to request: HTTPRequest, at now: Date, keepsSetCookie: Bool
    ) throws(NetworkError) -> HTTPResponse {
        var response = try answer(to: request, unconfirmedFields, keepsSetCookie)
        response.head.fields[.age] = ageValue(at: now)
        return response
    }

    /// The 304 for a conditional request whose sender has the current response (RFC 9110 section 15.4.5).
    func notModified(for request: HTTPRequest, at now: Date) -> HTTPResponse {
        var fields = unconfirmedFields.keeping(Self.ofNotModified.contains)
        fields[.age] = ageValue(at: now)
        return HTTPResponse(
            head: HTTPResponseHead(status: .notModified, fields: fields), metrics: .cached, request: request)
    }

    private static let ofNotModified: Set<HTTPField.Name> = [
        .cacheControl, .contentLocation, .date, .etag, .expires, .lastModified, .vary,
    ]

    /// Limited to the largest value of the field, also after the clock has jumped.
    private func ageValue(at now: Date) -> String {
        String(min(Int(saturating: age(at: now)), DeltaSeconds.largest))
    }

    /// The response to a request that the server confirmed it for, without `Set-Cookie`: those cookies were set when
    /// the response was received, and may have changed since.
    ///
    /// - Throws: `.tooLarge` if the body exceeds the request's limit.
    func answer(to request: HTTPRequest) throws(NetworkError) -> HTTPResponse {
        try answer(to: request, fields, false)
    }

    private func answer(
        to request: HTTPRequest, _ shown: HTTPFields, _ keepsSetCookie: Bool
    ) throws(NetworkError) -> HTTPResponse {
        var fields = shown
        if !keepsSetCookie { fields.remove(.setCookie) }
        let head = HTTPResponseHead(status: status, fields: fields)
        guard request.method != .head else { return HTTPResponse(head: head, metrics: .cached, request: request) }
        if let fault = BodyLimits(for: request).fault(whole: body.count) {
            throw NetworkError(fault, phase: .receiving, request: request, response: head)
        }
        return HTTPResponse(head: head, body: .bytes(body), metrics: .cached, request: request)
    }
}
