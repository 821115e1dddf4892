import Synchronization

/// The account that a cached exchange belongs to.
struct CacheAccount: Sendable {
    let session: AccountSession
    let stamp: AccountStamp

    var isCurrent: Bool { session.isCurrent(stamp) }

    func beginKeeping() -> Bool { session.beginKeeping(stamp) }
    func endKeeping() { session.endKeeping(stamp) }
}

/// What all exchanges of a cache share.
final class SharedCache: Sendable {
    let store: any CacheStore
    /// The store, if nothing has to be waited for there.
    let memory: MemoryCacheStore?
    let fetches = FetchRegistry<HTTPURL>()
    let storedURLs = StoredURLs()
    /// `nil` if the account never changes.
    let session: AccountSession?
    let keepsSetCookie: Bool
    /// `nil` if stored responses aren't offered as dictionaries.
    let dictionaries: StoredDictionaries?
    let now: @Sendable () -> Date

    init(
        _ store: any CacheStore, session: AccountSession?, keepsSetCookie: Bool, dictionaries: StoredDictionaries?,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        memory = store as? MemoryCacheStore
        self.session = session
        self.keepsSetCookie = keepsSetCookie
        self.dictionaries = dictionaries
        self.now = now
    }
}

/// One exchange between a cache and a server: sends the request, and updates the store.
struct CacheExchange: Sendable {
    private let call: Call
    private let next: Next
    private let cache: SharedCache
    /// Where a stored response for the request is, by what was stored when the call began. Requests that one stored response
    /// may answer are registered under it.
    private let key: HTTPURL
    /// `nil` if the account never changes.
    private let account: CacheAccount?

    init(_ call: Call, _ next: Next, _ cache: SharedCache) {
        self.call = call
        self.next = next
        self.cache = cache
        key = cache.storedURLs.url(for: call.request.url)
        account = cache.session.map { CacheAccount(session: $0, stamp: $0.stamp(of: call)) }
    }

    private var request: HTTPRequest { call.request }
    private var store: any CacheStore { cache.store }

    /// The request is in progress until this is released: for a streamed response, until its body is.
    private final class Start: Sendable {
        let time: Date
        let fetch: FetchRegistry<HTTPURL>.Fetch
        private let (fetches, key): (FetchRegistry<HTTPURL>, HTTPURL)

        init(_ time: Date, _ fetches: FetchRegistry<HTTPURL>, _ key: HTTPURL) {
            self.time = time
            self.fetches = fetches
            self.key = key
            fetch = fetches.begin(key)
        }

        deinit { fetches.end(fetch, for: key) }
    }

    private func start() -> Start { Start(cache.now(), cache.fetches, key) }

    /// The stored response that the request selects, under its URL or an equivalent one.
    nonisolated(nonsending) func stored() async -> CachedResponse? {
        if key != request.url, let found = await store.response(for: key, matching: request.fields),
            SearchVariance(found.fields)?.equates(key, request.url) == true
        {
            return found
        }
        return await store.response(for: request.url, matching: request.fields)
    }

    /// What was found, if it belongs to the call's account. Checked after reading: everything stored until now does.
    func own(_ found: CachedResponse?) -> CachedResponse? { account?.isCurrent ?? true ? found : nil }

    /// The stored response as the answer to the request, without asking the server.
    func answer(
        from stored: CachedResponse, at time: Date, _ detail: String? = nil
    ) throws(NetworkError) -> HTTPResponse {
        try stored.answer(to: request, at: time, keepsSetCookie: cache.keepsSetCookie)
            .noting(.hit(stored, at: time, detail))
    }

    /// Sends a call to the server.
    nonisolated(nonsending) func send(_ call: Call) async throws(NetworkError) -> HTTPResponse {
        guard let dictionaries = cache.dictionaries else { return try await next(call) }
        return try await dictionaries.send(call, account, next)
    }

    /// Sends the request. If the server fails and `stale-if-error` allows it, returns the fallback.
    nonisolated(nonsending) func fetch(
        because reason: CacheStatus.ForwardReason, fallback: CachedResponse?
    ) async throws(NetworkError) -> HTTPResponse {
        let start = start()
        return switch try await reply(to: call, fallback) {
        case .fallback(let response): response
        case .server(let response): await keep(response, start, because: reason, replacing: fallback)
        }
    }

    /// Asks the server whether a stored response is still valid (RFC 9111 section 4.3.3).
    nonisolated(nonsending) func validate(
        _ stored: CachedResponse, conditions: HTTPFields
    ) async throws(NetworkError) -> HTTPResponse {
        let start = start()
        let reason = CacheStatus.ForwardReason.insufficient(stored, at: start.time)
        var conditional = call
        for field in conditions { conditional.request.fields.append(field) }
        switch try await reply(to: conditional, stored) {
        case .fallback(let response):
            return response
        case .server(let response) where response.head.status == .notModified:
            let fields = response.head.fields
            guard let fresh = stored.refreshed(by: fields, requestTime: start.time, responseTime: cache.now())
            else {
                await store.remove(stored)
                return try await fetch(because: reason, fallback: nil)
            }
            let isStored = await put(fresh, start)
            return try fresh.answer(to: request, confirmedBy: response)
                .noting(.forwarded(reason, .notModified, isStored: isStored))
        case .server(let response):
            return await keep(response, start, because: reason, replacing: stored)
        }
    }

    /// Sends a request that may change a resource, and removes the outdated responses (RFC 9111 section 4.4).
    nonisolated(nonsending) func change() async throws(NetworkError) -> HTTPResponse {
        let response = try await next(call)
        let urls = CacheInvalidation.urls(
            method: request.method, url: request.url, status: response.head.status, response: response.head.fields)
        for url in Set(urls + urls.map(cache.storedURLs.url)) {
            cache.fetches.invalidate(url)
            await store.removeAll(for: url)
        }
        return response.noting(.forwarded(.method))
    }
}

extension CacheExchange {
    private enum Reply {
        case server(HTTPResponse)
        case fallback(HTTPResponse)
    }

    private nonisolated(nonsending) func reply(
        to call: Call, _ fallback: CachedResponse?
    ) async throws(NetworkError) -> Reply {
        do throws(NetworkError) {
            let response = try await send(call)
            guard response.head.status.isServerFailure, let stored = usable(fallback) else { return .server(response) }
            return .fallback(try answer(from: stored, insteadOf: response.head))
        } catch {
            guard error.isConnectionFailure, let stored = usable(fallback) else { throw error }
            return .fallback(try answer(from: stored, insteadOf: nil))
        }
    }

    private func answer(
        from stored: CachedResponse, insteadOf head: HTTPResponseHead?
    ) throws(NetworkError) -> HTTPResponse {
        var response = try answer(from: stored, at: cache.now(), "stale-if-error")
        response.cacheUse = .insteadOf(head)
        return response
    }

    /// The fallback, if the request may get it instead of the server's failure.
    private func usable(_ stored: CachedResponse?) -> CachedResponse? {
        guard request.options.cachePolicy != .reloadRevalidating else { return nil }
        return stored.flatMap { $0.standsIn(forRequest: request.fields, at: cache.now()) ? $0 : nil }
    }

    /// Stores a response if that is allowed, and returns it.
    private nonisolated(nonsending) func keep(
        _ response: HTTPResponse, _ start: Start, because reason: CacheStatus.ForwardReason,
        replacing stored: CachedResponse?
    ) async -> HTTPResponse {
        var (response, isStored) = (response, false)
        let status = response.head.status
        if request.method == .head || status == .notModified {
            await refresh(by: response, start)
        } else if case .bytes(let body) = response.body.storage, let new = entry(response.head, body, start) {
            isStored = await put(new, start)
            if let stored, stored.url != new.url { await store.remove(stored) }
        } else if status.isSuccessful || status.kind == .redirection || status.isAbsence,
            let stored = await outdated(stored)
        {
            await store.remove(stored)
        }
        return keepWhileRead(response, start).noting(.forwarded(reason, isStored: isStored))
    }

    /// The response with its body as it is, or with one that is stored once it has been read.
    private func keepWhileRead(_ response: consuming HTTPResponse, _ start: Start) -> HTTPResponse {
        if case .incoming(let body) = response.body.storage {
            response.body = HTTPBody(.incoming(keepWhileRead(body, response.head, start)))
        }
        return response
    }

    /// A streamed body, which is stored once all of it has been read, if that is allowed and the store takes so much.
    private func keepWhileRead(_ body: IncomingBody, _ head: HTTPResponseHead, _ start: Start) -> IncomingBody {
        guard let empty = entry(head, Data(), start), empty.mayStay, !head.fields.isEventStream,
            request.method == .get, !CacheControl(request.fields).noStore
        else { return body }
        let room = store.entryLimit - empty.byteCount
        guard room >= body.length ?? 0 else { return body }
        let content = Mutex<Data?>(Data())
        return body.observed { step in
            guard case .chunk(let chunk) = step else { return }
            content.withLock { content in
                if let count = content?.count, chunk.count <= room - count {
                    content?.append(chunk)
                } else {
                    content = nil
                }
            }
        } atEnd: {
            if let content = content.withLock({ $0.take() }) { await put(empty.with(body: content), start) }
        }
    }

    /// A response to store that has just arrived; `nil` if it may not be stored.
    private func entry(_ head: HTTPResponseHead, _ body: Data, _ start: Start) -> CachedResponse? {
        CachedResponse(
            (request.method, request.url, request.fields), answer: (head.status, head.fields, body),
            requestTime: start.time, responseTime: cache.now())
    }

    /// The stored response that a new one replaces. A request that ignores the cache has not looked it up.
    private nonisolated(nonsending) func outdated(_ stored: CachedResponse?) async -> CachedResponse? {
        guard stored == nil, request.options.cachePolicy == .reloadIgnoringCache else { return stored }
        return await self.stored()
    }

    /// Updates the stored response from a response without a body: to HEAD (section 4.3.5), or a 304 to the caller's
    /// condition (section 4.3.4).
    private nonisolated(nonsending) func refresh(by response: HTTPResponse, _ start: Start) async {
        let fields = response.head.fields
        guard let stored = await stored() else { return }
        switch response.head.status {
        case .notModified where fields.contains(.etag):
            if let fresh = stored.refreshed(by: fields, requestTime: start.time, responseTime: cache.now()) {
                await put(fresh, start)
            }
        case .ok:
            if stored.status == .ok,
                let fresh = stored.refreshed(byHead: fields, requestTime: start.time, responseTime: cache.now())
            {
                await put(fresh, start)
            } else {
                await store.remove(stored)
            }
        case let status where status.isAbsence:
            await store.remove(stored)
        default: break
        }
    }

    /// Stores a response, unless it is outdated or the request forbids storing. Removes one that was confirmed with
    /// `no-store` (section 5.2.2.5). Returns whether it is stored.
    @discardableResult
    private nonisolated(nonsending) func put(_ response: CachedResponse, _ start: Start) async -> Bool {
        switch beginKeeping(response, start) {
        case .none: return false
        case .removal: await store.remove(response)
        case .storing:
            defer { account?.endKeeping() }
            await store.store(response)
            if keeps(response, start) { return true }
            await store.remove(response)
        }
        return false
    }

    private enum Change { case none, removal, storing }

    /// What a response changes in the store: nothing if the request forbids it, the account has changed, or the response to a later
    /// request is stored. Storing ends with ``CacheAccount/endKeeping()``.
    private func beginKeeping(_ response: CachedResponse, _ start: Start) -> Change {
        guard !CacheControl(request.fields).noStore else { return .none }
        guard response.mayStay else { return cache.fetches.isCurrent(start.fetch) ? .removal : .none }
        guard account?.beginKeeping() ?? true else { return .none }
        if cache.fetches.claim(start.fetch, variant: response.variant) { return .storing }
        account?.endKeeping()
        return .none
    }

    /// Whether a response that was just stored may stay.
    private func keeps(_ response: CachedResponse, _ start: Start) -> Bool {
        guard cache.fetches.holds(start.fetch, variant: response.variant) else { return false }
        cache.storedURLs.note(response)
        cache.dictionaries?.note(response)
        return true
    }
}

// What memory has, and what it doesn't have, is known at once: nothing has to be waited for (decision 148).
extension CacheExchange {
    /// Answers the call from memory, or lets it pass to the server if nothing is stored for it; `nil` if it has to be handled.
    func pass(by memory: MemoryCacheStore) throws(NetworkError) -> Admission? {
        guard key == request.url else { return nil }
        let stored = own(memory.found(for: key, matching: request.fields))
        let time = cache.now()
        switch CacheDecision(request.fields, stored: stored, mode: .standard, now: time) {
        case .use(let response): return Admission(answer: try answer(from: response, at: time))
        case .fetch(fallback: nil) where request.method == .get && stored == nil:
            let start = Start(time, cache.fetches, key)
            return Admission { outcome in
                guard case .success(let response) = outcome else { return outcome }
                return .success(keep(response, start, in: memory))
            }
        default: return nil
        }
    }

    private func keep(_ response: consuming HTTPResponse, _ start: Start, in memory: MemoryCacheStore) -> HTTPResponse {
        var isStored = false
        if case .bytes(let body) = response.body.storage, let new = entry(response.head, body, start) {
            isStored = put(new, start, in: memory)
        }
        return keepWhileRead(response, start).noting(.forwarded(.miss, isStored: isStored))
    }

    private func put(_ response: CachedResponse, _ start: Start, in memory: MemoryCacheStore) -> Bool {
        switch beginKeeping(response, start) {
        case .none: return false
        case .removal: memory.drop(response)
        case .storing:
            defer { account?.endKeeping() }
            memory.insert(response)
            if keeps(response, start) { return true }
            memory.drop(response)
        }
        return false
    }
}

extension CachedResponse {
    /// The response to a request whose 304 confirmed it, with the metrics and cookies of the 304.
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

extension HTTPFields {
    /// Whether the body is a stream of events, which has no end.
    fileprivate var isEventStream: Bool {
        self[.contentType].flatMap(MediaType.init(_:))?.matches(.eventStream) == true
    }
}

extension HTTPStatus {
    /// Whether the resource no longer exists.
    fileprivate var isAbsence: Bool { self == .notFound || self == .gone }
}

extension NetworkError {
    /// Whether the server was not reached, or did not respond.
    fileprivate var isConnectionFailure: Bool {
        switch kind {
        case .offline, .transport, .timedOut: true
        default: false
        }
    }
}
