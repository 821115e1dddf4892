import Godwit
import GodwitTesting
import Synchronization
import Testing

/// The middlewares of a client together, over real sockets. Each alone has its own tests.
@Suite("The standard client", .timeLimit(.minutes(15)))
struct StandardClientTests {
    private struct Bird: Codable, Equatable {
        let name: String
    }

    /// Tokens `t1`, `t2`, …, of which only the last that was given out works.
    private final class Issuer: Sendable {
        private let last = Atomic(1)

        var count: Int { last.load(ordering: .relaxed) - 1 }

        func issue() -> String { "t\(last.add(1, ordering: .relaxed).newValue)" }

        func accepts(_ request: MockRequest) -> Bool {
            request.fields[.authorization] == "Bearer t\(last.load(ordering: .relaxed))"
        }
    }

    private static func refresh() -> Endpoint<Bird> {
        .post("refresh").unauthenticated()
    }

    @Test("A3 M5 C1 K1 a 401 during a coalesced, cached, redirected request: one refresh, one transfer, then none")
    func interplay() async throws {
        let issuer = Issuer()
        _ = issuer.issue()
        let server = try await MockServer { route in
            route.post("/refresh").reply { _ in .json(["name": .string(issuer.issue())]) }
            route.get("/old").reply { _ in
                .redirect(to: "/birds/1").field(.setCookie, "seen=1")
            }
            route.get("/birds/1").reply { request in
                guard issuer.accepts(request), request.fields[.cookie] == "seen=1" else { return .status(401) }
                return .json(["name": "godwit"]).field(.cacheControl, "max-age=60")
            }
        }
        let store = MemoryTokenStore(AccessToken(access: "t1", refresh: "r"))
        let api = APIClient(baseURL: server.url) {
            $0.authentication = .refreshing(store) { api, _ in
                AccessToken(access: try await api.send(Self.refresh()).name, refresh: "r")
            }
            $0.coalescesRequests = true
            $0.cache = .memory(limit: 1 << 20)
            $0.concurrency.perHost = 1
        }
        let birds = try await (0..<20).concurrentMap(limit: 20) { _ throws(NetworkError) in
            try await api.send(Endpoint<Bird>.get("old"))
        }
        #expect(birds == Array(repeating: Bird(name: "godwit"), count: 20))
        #expect(issuer.count == 2)
        // Whoever came after the shared transfer asked for the redirect again, and was answered from the cache.
        #expect(server.requests.filter { $0.path == "/birds/1" && issuer.accepts($0) }.count == 1)
        #expect(api.cookieJar?.cookies.map(\.name) == ["seen"])

        let again = try await api.send(Endpoint<Bird>.get("birds/1"))
        #expect(again.name == "godwit")
        #expect(server.requests.filter { $0.path == "/birds/1" && issuer.accepts($0) }.count == 1)
        await api.shutdown(.finishing)
    }

    @Test("A4 signing out removes token, cookies and responses; the next call fails before it is sent")
    func signOut() async throws {
        let server = try await MockServer { route in
            route.get("/bird").reply { _ in
                .json(["name": "knot"]).field(.cacheControl, "max-age=60").field(.setCookie, "a=1")
            }
        }
        let store = MemoryTokenStore(AccessToken(access: "t"))
        let api = APIClient(baseURL: server.url) {
            $0.authentication = .refreshing(store) { _, old in old }
            $0.cache = .memory(limit: 1 << 20)
        }
        _ = try await api.send(Endpoint<Bird>.get("bird"))
        let before = await api.cacheStore?.urls().count
        #expect(before == 1)
        try await api.signOut()
        #expect(api.cookieJar?.cookies == [])
        let after = await api.cacheStore?.urls().count
        #expect(after == 0)
        #expect(store.load() == nil)
        let error = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Bird>.get("bird")) }
        #expect(error?.kind == .unauthorized)
        #expect(server.requests.count == 1)

        try await api.signIn(AccessToken(access: "new"))
        _ = try await api.send(Endpoint<Bird>.get("bird"))
        #expect(server.requests.last?.fields[.authorization] == "Bearer new")
        await api.shutdown(.finishing)
    }

    @Test("A4 a client without tokens can't sign in with one")
    func signInWithoutTokens() async throws {
        let api = APIClient(baseURL: "http://127.0.0.1:1") { $0.authentication = .credential(.bearer("fixed")) }
        let error = await #expect(throws: NetworkError.self) { try await api.signIn(AccessToken(access: "t")) }
        #expect(error?.kind == .invalidRequest(reason: "this client has no token to replace"))
    }

    @Test("A1 credentials are sent only to the client's origin and to listed origins")
    func origins() async throws {
        let own = try await MockServer { $0.any("*").reply(.text("own")) }
        let named = try await MockServer { $0.any("*").reply(.text("named")) }
        let other = try await MockServer { $0.any("*").reply(.text("other")) }
        var authentication = ClientAuthentication.credential(.bearer("secret"))
        authentication.origins = [named.url.origin]
        let api = APIClient(baseURL: own.url) { $0.authentication = authentication }
        for server in [own, named, other] { _ = try await api.send(HTTPRequest(url: server.url)) }
        _ = try await api.send(Endpoint<Void>.get("open").unauthenticated())
        #expect(own.requests.map { $0.fields[.authorization] } == ["Bearer secret", nil])
        #expect(named.requests.map { $0.fields[.authorization] } == ["Bearer secret"])
        #expect(other.requests.map { $0.fields[.authorization] } == [nil])
        await api.shutdown(.finishing)
    }

    @Test("K1 a client with its own engine uses the system's public suffixes")
    func publicSuffixes() async throws {
        let api = APIClient(baseURL: "http://127.0.0.1:1")
        let jar = try #require(api.cookieJar)
        let url = try HTTPURL("https://api.example.co.uk/")
        #expect(jar.store("a=1; Domain=example.co.uk", from: url))
        #expect(!jar.store("a=1; Domain=co.uk", from: url))
        await api.shutdown(.finishing)
    }

    @Test("M4 by default, a GET is sent up to three times, with pauses, and a POST once")
    func retries() async throws {
        let server = try await MockServer { $0.any("*").reply(.status(503)) }
        let clock = TestClock()
        let api = APIClient(baseURL: server.url) { $0.clock = clock }
        async let outcome = api.result(of: Endpoint<Void>.get("a"))
        for _ in 0..<2 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
        }
        let first = await outcome
        #expect(throws: NetworkError.self) { try first.get() }
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.post("b")) }
        #expect(server.requests.map(\.path) == ["/a", "/a", "/a", "/b"])
        await api.shutdown(.finishing)
    }

    @Test("M4 a POST with a key from the client is sent again with the same key")
    func keys() async throws {
        let server = try await MockServer { $0.post("/a").replies([.status(503), .status(204)]) }
        let clock = TestClock()
        let api = APIClient(baseURL: server.url) {
            $0.clock = clock
            $0.idempotencyKeys = [.post]
        }
        async let outcome: Void = api.send(Endpoint<Void>.post("a"))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        try await outcome
        let keys = server.requests.map { $0.fields[.idempotencyKey] }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
        await api.shutdown(.finishing)
    }

    @Test("M7 after repeated failures, a host gets no further calls")
    func circuit() async throws {
        let server = try await MockServer { $0.any("*").reply(.status(500)) }
        let api = APIClient(baseURL: server.url) {
            $0.retry.maximumAttempts = 1
            $0.circuitBreaker = CircuitBreaker.Options()
            $0.clock = TestClock()
        }
        for _ in 0..<5 { _ = await api.result(of: Endpoint<Void>.get("a")) }
        let refusal = await api.result(of: Endpoint<Void>.get("a"))
        #expect(throws: NetworkError.self) { try refusal.get() }
        #expect(server.requests.count == 5)
        await api.shutdown(.finishing)
    }

    @Test("M6 calls over the rate limit wait")
    func rate() async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let clock = TestClock()
        let api = APIClient(baseURL: server.url) {
            $0.rateLimit = .tokenBucket(perSecond: 1, burst: 1)
            $0.clock = clock
        }
        try await api.send(Endpoint<Void>.get("a"))
        async let second: Void = api.send(Endpoint<Void>.get("b"))
        try await clock.waitForSleepers()
        #expect(server.requests.map(\.path) == ["/a"])
        clock.advance(by: .seconds(1))
        try await second
        #expect(server.requests.map(\.path) == ["/a", "/b"])
        await api.shutdown(.finishing)
    }
}
