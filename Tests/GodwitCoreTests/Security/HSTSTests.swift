import GodwitCore
import Synchronization
import Testing

@Suite("T18 HSTS", .timeLimit(.minutes(15)))
struct HSTSTests {
    private let store = HSTSStore()
    private static let demand: HTTPFields = ["Strict-Transport-Security": "max-age=60"]

    private func chain(_ transport: ScriptedTransport) -> Chain {
        Chain([Redirects(hsts: store), HSTS(store), HTTPSOnly(except: ["plain.example"])], over: transport)
    }

    @discardableResult
    private func send(_ url: String, over transport: ScriptedTransport) async throws -> HTTPResponse {
        try await chain(transport).send(HTTPRequest(url: try HTTPURL(url)))
    }

    @Test("T18 a host that demanded HTTPS gets no http request any more, before plain HTTP is refused, and it shows")
    func upgrade() async throws {
        let transport = ScriptedTransport(200, "", Self.demand)
        #expect(try await send("https://a.example/", over: transport).metrics.upgradeCount == 0)
        let response = try await send("http://a.example:80/x?y=1", over: transport)
        #expect(response.request.url.absoluteString == "https://a.example/x?y=1")
        #expect(response.metrics.upgradeCount == 1)
        #expect(transport.requests.map(\.url.scheme) == [.https, .https])
        #expect(store.hosts.map(\.name) == ["a.example"])
        await #expect(throws: NetworkError.self) { try await send("http://b.example/", over: transport) }
    }

    @Test("T18 a field over plain HTTP is ignored, and so is one of an address or of this machine")
    func insecure() async throws {
        let transport = ScriptedTransport(200, "", Self.demand)
        for url in ["http://plain.example/", "https://192.0.2.1/", "https://[::1]/", "https://localhost/"] {
            try await send(url, over: transport)
        }
        #expect(store.hosts.isEmpty)
        try await send("http://localhost/", over: transport)
        #expect(transport.requests.last?.url.scheme == .http)
    }

    @Test("T18 every status teaches, and max-age=0 withdraws")
    func statuses() async throws {
        for (index, status) in [200, 301, 404, 500].enumerated() {
            try await send("https://h\(index).example/", over: ScriptedTransport(status, "", Self.demand))
        }
        #expect(store.hosts.count == 4)
        let end: HTTPFields = ["Strict-Transport-Security": "max-age=0"]
        try await send("https://h1.example/", over: ScriptedTransport(200, "", end))
        #expect(store.hosts.map(\.name) == ["h0.example", "h2.example", "h3.example"])
    }

    @Test(
        "T18 a redirect to http of a known host is followed over HTTPS, with the origin's credentials if it stays there"
    )
    func redirect() async throws {
        let transport = ScriptedTransport([
            { .redirect(of: $0, to: "http://a.example/2") }, { .redirect(of: $0, to: "http://b.example/3") },
            { .reply(to: $0) },
        ])
        store.add(.init("a.example"))
        store.add(.init("b.example"))
        var request = HTTPRequest(url: try HTTPURL("http://a.example/1"))
        request.fields[.authorization] = "Bearer x"
        let response = try await chain(transport).send(request)
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://a.example/1", "https://a.example/2", "https://b.example/3",
            ])
        #expect(transport.requests.map { $0.fields.contains(.authorization) } == [true, true, false])
        #expect(response.metrics.redirectCount == 2)
        #expect(response.metrics.upgradeCount == 3)
    }

    @Test("T18 a redirect from https to http of an unknown host stays refused")
    func downgrade() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "http://plain.example/") }, { .reply(to: $0) }])
        let error = await #expect(throws: NetworkError.self) {
            try await send("https://a.example/", over: transport)
        }
        #expect(error?.kind == .insecure(.downgrade(to: "http://plain.example/")))
    }

    @Test("T18 a stored response teaches nothing, as the host may have withdrawn its demand since")
    func stored() async throws {
        let cache = Caching(MemoryCacheStore())
        let chain = Chain(
            [HSTS(store), cache],
            over: ScriptedTransport(
                200, "", ["Strict-Transport-Security": "max-age=60", .cacheControl: "max-age=60"]))
        let request = HTTPRequest(url: try HTTPURL("https://a.example/"))
        _ = try await chain.send(request)
        store.remove("a.example")
        #expect(try await chain.send(request).metrics.source == .cache)
        #expect(store.hosts.isEmpty)
    }

    @Test("T18 the head of a response whose body fails teaches, too")
    func failed() async throws {
        let transport = ScriptedTransport { request throws(NetworkError) in
            throw NetworkError(
                .tooLarge(limit: 1), phase: .receiving, request: request,
                response: HTTPResponseHead(status: .ok, fields: Self.demand))
        }
        await #expect(throws: NetworkError.self) { try await send("https://a.example/", over: transport) }
        #expect(store.hosts.count == 1)
    }

    @Test("T18 a client learns by default, keeps what it learned when its user signs out, and can do without")
    func client() async throws {
        let transport = ScriptedTransport(200, "", Self.demand)
        let api = APIClient(baseURL: "https://a.example/", transport: transport)
        _ = try await api.send(Endpoint<Void>.get("1"))
        try await api.signOut()
        let response = try await api.send(HTTPRequest(url: try HTTPURL("http://a.example/2")))
        #expect(response.request.url.scheme == .https && response.metrics.upgradeCount == 1)
        #expect(api.hstsStore?.hosts.count == 1)
        api.hstsStore?.clear()
        await #expect(throws: NetworkError.self) { try await api.send(response.request.overHTTP()) }
        let off = APIClient(baseURL: "https://a.example/", transport: transport) { $0.hsts = .off }
        _ = try await off.send(Endpoint<Void>.get("1"))
        #expect(off.hstsStore == nil)
        await #expect(throws: NetworkError.self) { try await off.send(response.request.overHTTP()) }
    }

    @Test("T18 clients can share a store, also with the one that refreshes their tokens")
    func shared() async throws {
        let transport = ScriptedTransport(200, "", Self.demand)
        let first = APIClient(baseURL: "https://a.example/", transport: transport) { $0.hsts = .store(store) }
        let second = APIClient(baseURL: "http://a.example/", transport: transport) { $0.hsts = .store(store) }
        _ = try await first.send(Endpoint<Void>.get("1"))
        _ = try await second.send(Endpoint<Void>.get("2"))
        #expect(transport.requests.map(\.url.absoluteString) == ["https://a.example/1", "https://a.example/2"])
    }

    @Test("T18 a call that is written with http has the credentials of the https origin")
    func credentials() async throws {
        store.add(.init("a.example"))
        let transport = ScriptedTransport()
        let api = APIClient(baseURL: "https://a.example/", transport: transport) {
            $0.hsts = .store(store)
            $0.authentication = .credential(.bearer("top-secret"))
        }
        _ = try await api.send(HTTPRequest(url: try HTTPURL("http://a.example/1")))
        #expect(transport.requests.map(\.url.scheme) == [.https])
        #expect(transport.requests.first?.fields[.authorization] == "Bearer top-secret")
    }

    @Test("T18 the log of a call says that HTTPS was used instead")
    func logged() async throws {
        store.add(.init("a.example"))
        let lines = Mutex<[String]>([])
        let api = APIClient(baseURL: "http://a.example/", transport: ScriptedTransport()) {
            $0.hsts = .store(store)
            $0.logging.level = .basic
            $0.logging.destination = { line in lines.withLock { $0.append(line) } }
        }
        _ = try await api.send(Endpoint<Void>.get("1"))
        #expect(lines.withLock { $0.contains { $0.hasSuffix(", https by HSTS") } })
    }

    @Test("T18 hosts are added and removed by name, and what can't have an entry is ignored")
    func byHand() throws {
        let now = Date(timeIntervalSince1970: 1000)
        let store = HSTSStore { now }
        store.add(.init("Example.COM", includesSubdomains: true, expires: now + 60))
        for name in ["10.0.0.1", "localhost", "a b", ""] { store.add(.init(name)) }
        store.add(.init("late.example", expires: now))
        #expect(store.hosts == [.init("example.com", includesSubdomains: true, expires: now + 60)])
        #expect(
            try store.upgraded(HTTPURL("http://www.example.com:8080/a"))?.absoluteString
                == "https://www.example.com:8080/a")
        #expect(try store.upgraded(HTTPURL("https://www.example.com/")) == nil)
        #expect(try store.upgraded(HTTPURL("http://example.org/")) == nil)
        store.remove("www.example.com")
        #expect(store.hosts.count == 1)
        store.remove("EXAMPLE.com")
        #expect(store.hosts.isEmpty)
    }
}

extension HTTPRequest {
    /// The same request to the http URL.
    fileprivate func overHTTP() throws -> HTTPRequest {
        var request = self
        request.url = try HTTPURL("http" + url.absoluteString.dropFirst(5))
        return request
    }
}
