/// The account that an exchange with a cache belongs to.
struct CacheAccount: Sendable {
    let session: AccountSession
    let stamp: AccountStamp

    var isCurrent: Bool { session.isCurrent(stamp) }
}

/// One exchange between a cache and its server, and what it does to the store.
struct CacheExchange: Sendable {
    let call: Call
    let next: Next
    let store: any CacheStore
    let ledger: CacheLedger<HTTPURL>
    /// Whose exchange it is; `nil` if that never changes.
    let account: CacheAccount?
    let now: @Sendable () -> Date

    private var request: HTTPRequest { call.request }

    /// What an answer's place in the store depends on: when it was asked for, and what the ledger said then.
    private struct Asking {
        let time: Date
        let mark: CacheLedger<HTTPURL>.Mark
    }

    /// Asks the server for a response. The fallback stands in where the server fails and `stale-if-error` allows it.
    func fetch(fallback: CachedResponse?) async throws(NetworkError) -> HTTPResponse {
        let asking = Asking(time: now(), mark: ledger.begin(request.url))
        defer { ledger.end(request.url, asking.mark) }
        return switch try await reply(to: call, fallback) {
        case .fallback(let response): response
        case .server(let response): await keep(response, asking, replacing: fallback)
        }
    }

    /// Asks the server whether a stored response still holds (RFC 9111 section 4.3.3).
    func validate(_ stored: CachedResponse, conditions: HTTPFields) async throws(NetworkError) -> HTTPResponse {
        let asking = Asking(time: now(), mark: ledger.begin(request.url))
        defer { ledger.end(request.url, asking.mark) }
        var conditional = call
        for field in conditions { conditional.request.fields.append(field) }
        switch try await reply(to: conditional, stored) {
        case .fallback(let response):
            return response
        case .server(let response) where response.head.status == .notModified:
            let fields = response.head.fields
            guard let fresh = stored.refreshed(by: fields, requestTime: asking.time, responseTime: now()) else {
                await store.remove(stored)
                return try await fetch(fallback: nil)
            }
            await put(fresh, asking)
            return try fresh.answer(to: request, confirmedBy: response)
        case .server(let response):
            return await keep(response, asking, replacing: stored)
        }
    }

    /// Validates a stored response without anybody waiting for it, once at a time (RFC 5861 section 3).
    func validateInBackground(_ stored: CachedResponse) {
        let validation = CacheValidation(url: stored.url, variant: stored.variant)
        guard ledger.beginValidation(validation) else { return }
        let exchange = CacheExchange(
            call: call.inBackground, next: next, store: store, ledger: ledger, account: account, now: now)
        Task(priority: .utility) {
            let conditions = stored.conditions
            // A failure is nobody's: the next request meets it itself.
            _ =
                conditions.isEmpty
                ? try? await exchange.fetch(fallback: stored)
                : try? await exchange.validate(stored, conditions: conditions)
            ledger.endValidation(validation)
        }
    }

    /// Sends a request that may change something, and forgets what it changed (RFC 9111 section 4.4).
    func change() async throws(NetworkError) -> HTTPResponse {
        let response = try await next(call)
        let urls = CacheInvalidation.urls(
            method: request.method, url: request.url, status: response.head.status, response: response.head.fields)
        for url in urls {
            ledger.invalidate(url)
            await store.removeAll(for: url)
        }
        return response
    }
}

extension CacheExchange {
    private enum Reply {
        case server(HTTPResponse)
        case fallback(HTTPResponse)
    }

    private func reply(to call: Call, _ fallback: CachedResponse?) async throws(NetworkError) -> Reply {
        do throws(NetworkError) {
            let response = try await next(call)
            guard response.head.status.isServerFailure, let stored = standIn(fallback) else { return .server(response) }
            return .fallback(try answer(from: stored, insteadOf: response.head))
        } catch {
            guard error.isConnectionFailure, let stored = standIn(fallback) else { throw error }
            return .fallback(try answer(from: stored, insteadOf: nil))
        }
    }

    private func answer(
        from stored: CachedResponse, insteadOf head: HTTPResponseHead?
    ) throws(NetworkError) -> HTTPResponse {
        var response = try stored.answer(to: request, at: now())
        response.staleUse = .insteadOf(head)
        return response
    }

    /// A request that wants the server's confirmation gets the server's failure.
    private func standIn(_ stored: CachedResponse?) -> CachedResponse? {
        guard request.options.cachePolicy != .reloadRevalidating else { return nil }
        return stored.flatMap { $0.standsIn(forRequest: request.fields, at: now()) ? $0 : nil }
    }

    /// Stores an answer where it may be stored, and returns it.
    private func keep(
        _ response: HTTPResponse, _ asking: Asking, replacing stored: CachedResponse?
    ) async -> HTTPResponse {
        let status = response.head.status
        if request.method == .head || status == .notModified {
            await refresh(by: response, asking)
        } else if case .bytes(let body) = response.body.storage,
            let new = CachedResponse(
                (request.method, request.url, request.fields), answer: (status, response.head.fields, body),
                requestTime: asking.time, responseTime: now())
        {
            await put(new, asking)
        } else if status.isSuccessful || status.kind == .redirection || status.isAbsence,
            let stored = await outdated(stored)
        {
            await store.remove(stored)
        }
        return response
    }

    /// The stored response that an answer takes the place of. A request that ignores the cache has not looked it up.
    private func outdated(_ stored: CachedResponse?) async -> CachedResponse? {
        guard stored == nil, request.options.cachePolicy == .reloadIgnoringCache else { return stored }
        return await store.response(for: request.url, matching: request.fields)
    }

    /// Brings what is stored up to date by an answer without content: to HEAD (section 4.3.5), or a 304 to the
    /// caller's own condition (section 4.3.4).
    private func refresh(by response: HTTPResponse, _ asking: Asking) async {
        let fields = response.head.fields
        guard let stored = await store.response(for: request.url, matching: request.fields) else { return }
        switch response.head.status {
        case .notModified where fields.contains(.etag):
            if let fresh = stored.refreshed(by: fields, requestTime: asking.time, responseTime: now()) {
                await put(fresh, asking)
            }
        case .ok:
            if stored.status == .ok,
                let fresh = stored.refreshed(byHead: fields, requestTime: asking.time, responseTime: now())
            {
                await put(fresh, asking)
            } else {
                await store.remove(stored)
            }
        case let status where status.isAbsence:
            await store.remove(stored)
        default: break
        }
    }

    /// Stores a response, unless its URL has been changed since it was asked for, or the request leaves nothing behind.
    /// One that was confirmed together with `no-store` goes (section 5.2.2.5).
    private func put(_ response: CachedResponse, _ asking: Asking) async {
        guard ledger.isCurrent(asking.mark), !CacheControl(request.fields).noStore else { return }
        guard response.mayStay else { return await store.remove(response) }
        guard let account else { return await store(response, asking) }
        guard account.session.beginKeeping(account.stamp) else { return }
        await store(response, asking)
        account.session.endKeeping(account.stamp)
    }

    /// An answer to an earlier request does not take the place of one to a later request.
    private func store(_ response: CachedResponse, _ asking: Asking) async {
        guard ledger.claim(asking.mark, variant: response.variant) else { return }
        await store.store(response)
        if !ledger.holds(asking.mark, variant: response.variant) { await store.remove(response) }
    }
}

extension CachedResponse {
    /// The response as it answers a request that a 304 confirmed it for; what the 304 cost and set stays with it.
    fileprivate func answer(
        to request: HTTPRequest, confirmedBy confirmation: HTTPResponse
    ) throws(NetworkError) -> HTTPResponse {
        var response = try answer(to: request)
        response.metrics = confirmation.metrics
        for cookie in confirmation.head.fields.values(of: .setCookie) {
            response.head.fields.append(cookie, for: .setCookie)
        }
        return response
    }
}

extension HTTPStatus {
    /// Whether what was there is no more.
    fileprivate var isAbsence: Bool { self == .notFound || self == .gone }
}

extension NetworkError {
    /// Whether the server was not reached, or did not answer.
    fileprivate var isConnectionFailure: Bool {
        switch kind {
        case .offline, .transport, .timedOut: true
        default: false
        }
    }
}

extension Call {
    /// The call without its caller: into memory, and without telling anybody.
    var inBackground: Call {
        var call = self
        call.request.options.onEvent = nil
        if case .streamed = call.request.delivery { call.request.delivery = .buffered }
        return call
    }
}
