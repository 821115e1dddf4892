import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("A6 nothing of one account reaches the next", .timeLimit(.minutes(15)))
struct AccountCrossingTests {
    private let store = MemoryTokenStore(AccessToken(access: "ann", refresh: "r"))
    private let cache = MemoryCacheStore(limit: 1 << 20)
    private let gate = Watched(false)

    private struct Who: Codable, Sendable, Equatable {
        var user: String
    }

    /// Answers with whose token came; the first request for `/held` once the gate is open.
    private func server(_ fields: HTTPFields = [.cacheControl: "max-age=60"]) -> ScriptedTransport {
        ScriptedTransport { [gate] request throws(NetworkError) in
            let token = request.fields[.authorization]?.dropFirst(7) ?? "nobody"
            if request.url.path.contains("held"), token == "ann" {
                do { try await gate.wait { $0 } } catch { throw NetworkError(.cancelled, phase: .receiving) }
            }
            return .reply(to: request, 200, #"{"user":"\#(token)"}"#, fields)
        }
    }

    private func client(
        _ transport: some HTTPTransport, configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.retry.maximumAttempts = 1
            $0.cache = .store(cache)
            $0.authentication = .refreshing(store) { _, _ in AccessToken(access: "new", refresh: "r") }
            configure(&$0)
        }
    }

    private func change(_ api: APIClient) async throws {
        try await api.signOut()
        try await api.signIn(AccessToken(access: "bob"))
    }

    private func who(_ path: EndpointPath) -> Endpoint<Who> { .get(path) }

    @Test("A6 a 401 is not stored, even with max-age: the refreshed call is sent, and the user stays signed in")
    func storedRefusal() async throws {
        let server = ScriptedTransport { request throws(NetworkError) in
            let isNew = request.fields[.authorization] == "Bearer new"
            return .reply(to: request, isNew ? 200 : 401, #"{"user":"ann"}"#, [.cacheControl: "max-age=60"])
        }
        let api = client(server)
        #expect(try await api.send(who("me")) == Who(user: "ann"))
        #expect(store.load()?.access == "new")
        #expect(await cache.urls().count == 1)
    }

    @Test("A6 a response in flight during a sign-out is neither stored nor returned to the next user")
    func inFlight() async throws {
        let transport = server()
        let api = client(transport)
        let call = Task { try await api.send(who("held")) }
        await eventually { transport.requests.count == 1 }
        try await change(api)
        gate.update { $0 = true }
        _ = try? await call.value
        #expect(await cache.urls().isEmpty)
        #expect(try await api.send(who("held")) == Who(user: "bob"))
    }

    @Test("A6 a response stored for one user doesn't answer another")
    func stored() async throws {
        let api = client(server())
        #expect(try await api.send(who("me")) == Who(user: "ann"))
        try await api.signIn(AccessToken(access: "bob"))
        #expect(try await api.send(who("me")) == Who(user: "bob"))
    }

    @Test("A6 the next user's call does not join the transfer of the former")
    func coalescing() async throws {
        let transport = server()
        let api = client(transport) { $0.coalescesRequests = true }
        let call = Task { try await api.send(who("held")) }
        await eventually { transport.requests.count == 1 }
        try await change(api)
        #expect(try await api.send(who("held")) == Who(user: "bob"))
        gate.update { $0 = true }
        _ = try? await call.value
    }

    @Test("A6 a POST of the former user that got a 401 is not sent again with the next user's token")
    func resend() async throws {
        let transport = ScriptedTransport { [gate] request throws(NetworkError) in
            let isAnn = request.fields[.authorization] == "Bearer ann"
            if isAnn { do { try await gate.wait { $0 } } catch { throw NetworkError(.cancelled, phase: .receiving) } }
            return .reply(to: request, isAnn ? 401 : 200, "{}")
        }
        let api = client(transport)
        let call = Task { await api.failure(of: Endpoint<Void>.post("notes", body: .json(Draft(title: "Ann's")))) }
        await eventually { transport.requests.count == 1 }
        try await change(api)
        gate.update { $0 = true }
        let error = await call.value
        #expect(error?.kind == .cancelled)
        #expect(error?.underlying is AccountChanged)
        #expect(transport.requests.count == 1)
        try await api.send(Endpoint<Void>.get("a"))
    }

    @Test("A6 a call that waits for its next attempt is not sent again for the next user")
    func retry() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { request throws(NetworkError) in
            .reply(to: request, request.fields[.authorization] == "Bearer ann" ? 503 : 200)
        }
        let api = client(transport) {
            $0.clock = clock
            $0.retry.maximumAttempts = 3
        }
        let call = Task { await api.failure(of: Endpoint<Void>.get("a")) }
        try await clock.waitForSleepers()
        try await change(api)
        clock.advance(by: .seconds(600))
        #expect(await call.value?.underlying is AccountChanged)
        #expect(transport.requests.count == 1)
    }

    @Test("A6 without a signed-in user, a call that can't continue is unauthorized")
    func unauthorized() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport(503)
        let api = client(transport) {
            $0.clock = clock
            $0.retry.maximumAttempts = 3
        }
        let call = Task { await api.failure(of: Endpoint<Void>.get("a")) }
        try await clock.waitForSleepers()
        try await api.signOut()
        clock.advance(by: .seconds(600))
        #expect(await call.value?.kind == .unauthorized)
        #expect(transport.requests.count == 1)
    }

    @Test("A6 an anonymous call continues over a change of account, without cookies, and stores nothing")
    func anonymous() async throws {
        let clock = TestClock()
        let attempts = Collected<HTTPRequest>()
        let transport = ScriptedTransport { request throws(NetworkError) in
            attempts.append(request)
            return .reply(
                to: request, attempts.values.count == 1 ? 503 : 200, #"{"user":"x"}"#,
                [.setCookie: "s=1", .cacheControl: "max-age=60"])
        }
        let api = client(transport) {
            $0.clock = clock
            $0.retry.maximumAttempts = 3
        }
        let call = Task { try await api.send(who("public").unauthenticated()) }
        try await clock.waitForSleepers()
        try await change(api)
        try api.cookieJar?.add(Cookie(name: "session", value: "bob", domain: "api.example.com"))
        clock.advance(by: .seconds(600))
        #expect(try await call.value == Who(user: "x"))
        #expect(attempts.values.map { $0.fields[.cookie] } == [nil, nil])
        #expect(api.cookieJar?.cookies.map(\.value) == ["bob"])
        #expect(await cache.urls().isEmpty)
    }

    @Test("A6 a late Set-Cookie of the former user does not come back")
    func lateCookie() async throws {
        let transport = server([.setCookie: "session=ann"])
        let api = client(transport)
        let call = Task { try await api.send(who("held")) }
        await eventually { transport.requests.count == 1 }
        try await api.signOut()
        gate.update { $0 = true }
        _ = try? await call.value
        #expect(api.cookieJar?.cookies.isEmpty == true)
    }

    @Test("A6 cookies of a login call stay when its token is signed in, and go when another user signs in")
    func loginCookie() async throws {
        let api = client(ScriptedTransport(200, "", [.setCookie: "session=bob"]))
        try await api.signOut()
        try await api.send(Endpoint<Void>.post("login").unauthenticated())
        try await api.signIn(AccessToken(access: "bob"))
        #expect(api.cookieJar?.cookies.map(\.value) == ["bob"])
        try await api.signIn(AccessToken(access: "eve"))
        #expect(api.cookieJar?.cookies.isEmpty == true)
    }

    @Test("A6 a validation in the background is neither sent nor stored after a sign-out")
    func revalidation() async throws {
        let transport = server([.cacheControl: "max-age=0, stale-while-revalidate=600", .etag: #""1""#])
        let api = client(transport)
        _ = try await api.send(who("me"))
        let sent = Watched(0)
        let held = client(transport) {
            $0.attemptMiddleware = [Holding(gate: gate, sent: sent)]
        }
        #expect(try await held.send(who("me")) == Who(user: "ann"))
        try await sent.wait { $0 == 1 }
        try await change(api)
        gate.update { $0 = true }
        for _ in 0..<200 { await Task.yield() }
        #expect(transport.requests.count == 1)
        #expect(await cache.urls().isEmpty)
    }

    @Test("A6 a refresh in progress at a sign-out brings no token, and its cookies are not kept")
    func refreshing() async throws {
        let transport = ScriptedTransport { [gate] request throws(NetworkError) in
            guard request.url.path == "/refresh" else { return .reply(to: request, 401) }
            do { try await gate.wait { $0 } } catch { throw NetworkError(.cancelled, phase: .receiving) }
            return .reply(to: request, 200, "new", [.setCookie: "session=ann"])
        }
        let api = client(transport) {
            $0.authentication = .refreshing(store) { api, _ in
                try await api.send(Endpoint<Void>.post("refresh"))
                return AccessToken(access: "new")
            }
        }
        let call = Task { await api.failure(of: Endpoint<Void>.get("a")) }
        await eventually { transport.requests.count == 2 }
        try await api.signOut()
        gate.update { $0 = true }
        #expect(await call.value?.kind == .unauthorized)
        for _ in 0..<200 { await Task.yield() }
        #expect(store.load() == nil)
        #expect(api.cookieJar?.cookies.isEmpty == true)
    }

    @Test("A6 clients that share a cache change together")
    func sharedCache() async throws {
        let transport = server()
        let api = client(transport)
        let files = APIClient(baseURL: "https://files.example.com", transport: transport) {
            $0.cache = .store(cache)
            $0.authentication = .credential(.bearer("ann"))
        }
        let call = Task { try await files.send(who("held")) }
        await eventually { transport.requests.count == 1 }
        try await api.signOut()
        gate.update { $0 = true }
        _ = try? await call.value
        #expect(await cache.urls().isEmpty)
    }

    @Test("A6 a list that was started for one user is not continued for the next")
    func pages() async throws {
        let transport = ScriptedTransport { request throws(NetworkError) in
            .reply(to: request, 200, #"{"items":[1],"next":"c\#(request.url.query ?? "")"}"#)
        }
        struct Page: Decodable, CursorPage, Sendable {
            var items: [Int]
            var next: String?
            var nextCursor: String? { next }
        }
        let api = client(transport)
        var pages = api.pages(.cursor { Endpoint<Page>.get("list", query: ["after": $0]) }).makeAsyncIterator()
        #expect(try await pages.next()?.items == [1])
        try await change(api)
        let error = await #expect(throws: NetworkError.self) { try await pages.next() }
        #expect(error?.underlying is AccountChanged)
        #expect(transport.requests.count == 1)
    }

    @Test("A6 a reconnecting socket is closed when its account changes: nothing more is sent over it")
    func socket() async throws {
        let mock = MockTransport {
            $0.webSocket("/live") { socket in
                try await socket.send("hello")
                _ = try await socket.receive()
            }
        }
        let api = client(mock)
        let socket = api.reconnectingWebSocket("live")
        #expect(try await socket.receive() == .text("hello"))
        try await change(api)
        let error = await #expect(throws: NetworkError.self) { try await socket.send("Bob's") }
        #expect(error?.underlying is AccountChanged)
        try await mock.waitUntilExchangesEnd()
        #expect(mock.requests.count == 1)
    }

    @Test("A6 events of the former user end: no more are shown, and no connection is made for them")
    func events() async throws {
        let body = ArrivingBody()
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(
                head: HTTPResponseHead(status: .ok, fields: [.contentType: "text/event-stream"]), body: body.take(),
                request: request)
        }
        let api = client(transport)
        var events = api.events(Endpoint<Void>.get("live")).makeAsyncIterator()
        body.send("data: 1\n\n")
        #expect(try await events.next()?.data == "1")
        try await change(api)
        body.send("data: 2\n\n")
        let error = await #expect(throws: NetworkError.self) { try await events.next() }
        #expect(error?.underlying is AccountChanged)
        #expect(transport.requests.count == 1)
        #expect(body.isAbandoned)
    }
}

/// Holds requests back after the first, just above the transport.
private struct Holding: Middleware {
    let gate: Watched<Bool>
    let sent: Watched<Int>

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        sent.update { $0 += 1 }
        do { try await gate.wait { $0 } } catch { throw NetworkError(.cancelled, phase: .middleware) }
        return try await next(call)
    }
}
