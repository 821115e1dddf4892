import Godwit
import GodwitTesting
import TestSupport
import Testing

/// What a client's configuration says of the way to a server, seen from outside.
@Suite("The standard client: request rules", .timeLimit(.minutes(15)))
struct ClientRulesTests {
    private let mock = MockTransport {
        $0.get("/leave").reply(.redirect(to: "http://plain.example/there"))
        $0.any("*").reply(.text("ok"))
    }

    @Test("S3 plain HTTP is rejected before anything is sent, except to this machine and listed hosts")
    func plaintext() async throws {
        let refused = APIClient(baseURL: "http://plain.example", transport: mock)
        let error = await failure { () throws(NetworkError) in try await refused.send(Endpoint<Void>.get("a")) }
        #expect(error?.kind == .insecure(.plaintext(host: "plain.example")))
        #expect(mock.requests.isEmpty)

        let named = APIClient(baseURL: "http://plain.example", transport: mock) {
            $0.plaintextHosts = ["plain.example"]
        }
        try await named.send(Endpoint<Void>.get("a"))
        try await APIClient(baseURL: "http://localhost", transport: mock).send(Endpoint<Void>.get("a"))
        #expect(mock.requests.count == 2)
    }

    @Test("S3 a redirect from this machine to plain HTTP elsewhere isn't followed")
    func plaintextHop() async {
        let api = APIClient(baseURL: "http://localhost", transport: mock)
        let error = await failure { () throws(NetworkError) in try await api.send(Endpoint<Void>.get("leave")) }
        #expect(error?.kind == .insecure(.plaintext(host: "plain.example")))
        #expect(mock.requests.map(\.path) == ["/leave"])
    }

    @Test("S2 if the transport can't apply a client's pins, every call throws")
    func foreignTransport() async {
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.pins["api.example.com"] = [
                .sha256(Data(repeating: 1, count: 32).base64EncodedString()),
                .sha256(Data(repeating: 2, count: 32).base64EncodedString()),
            ]
        }
        let error = await failure { () throws(NetworkError) in try await api.send(Endpoint<Void>.get("a")) }
        #expect(error?.shortDescription == "invalid_request")
        #expect(mock.requests.isEmpty)
    }

    @Test("S2 a single pin is rejected when the client's engine is created, and every call says so")
    func singlePin() async {
        let api = APIClient(baseURL: "https://127.0.0.1:1") {
            $0.pins["127.0.0.1"] = [.sha256(Data(repeating: 1, count: 32).base64EncodedString())]
        }
        let error = await failure { () throws(NetworkError) in try await api.send(Endpoint<Void>.get("a")) }
        #expect(error?.shortDescription == "invalid_request")
        #expect(error?.description.contains("TLS configuration") == true)
    }

    @Test("O2 M8 without a network, a call fails immediately or waits, as configured; a stored response needs none")
    func connectivity() async throws {
        let feed = PathFeed(NetworkPath(status: .unsatisfied))
        let cached = MockTransport { $0.any("*").reply(.text("ok").field(.cacheControl, "max-age=60")) }
        let api = APIClient(baseURL: "https://api.example.com", transport: cached) {
            $0.connectivity = .failFast
            $0.pathMonitor = { feed }
            $0.cache = .memory(limit: 1 << 20)
            $0.retry.maximumAttempts = 1
        }
        let error = await failure { () throws(NetworkError) in try await api.send(Endpoint<Void>.get("a")) }
        #expect(error?.kind == .offline(.noPath))
        async let waiting: Void = api.send(Endpoint<Void>.get("a").waitsForConnectivity())
        while cached.requests.isEmpty {
            feed.update(NetworkPath(status: .satisfied, interfaces: [.wired]))
            await Task.yield()
        }
        try await waiting
        feed.update(NetworkPath(status: .unsatisfied))
        try await api.send(Endpoint<Void>.get("a"))
        #expect(cached.requests.count == 1)
    }

    @Test("M3 a call has one trace, and each of its requests a span; the recorder records each request")
    func tracing() async throws {
        let recorder = HARRecorder()
        let api = APIClient(
            baseURL: "https://api.example.com",
            transport: MockTransport {
                $0.get("/old").reply(.redirect(to: "/new"))
                $0.get("/new").reply(.text("ok"))
            }
        ) {
            $0.tracing = Tracing()
            $0.recorder = recorder
            $0.attemptMiddleware = []
        }
        let response = try await api.response(for: Endpoint<Void>.get("old"))
        let parent = try #require(response.request.fields["traceparent"])
        #expect(parent.split(separator: "-").map(\.count) == [2, 32, 16, 2])
        #expect(recorder.count == 2)
    }

    @Test("T8 a password challenge is answered with the provider's password")
    func challenges() async throws {
        let server = try await MockServer { route in
            route.any("*").reply { request in
                request.fields[.authorization] == nil
                    ? .status(401).field("WWW-Authenticate", "Basic realm=\"nest\"") : .text("in")
            }
        }
        let api = APIClient(baseURL: server.url) {
            $0.challenges = Challenges { $0.realm == "nest" ? PasswordCredential(user: "bird", password: "egg") : nil }
        }
        try await api.send(Endpoint<Void>.get("a"))
        try await api.send(Endpoint<Void>.get("b"))
        #expect(server.requests.map { $0.fields[.authorization] } == [nil, "Basic YmlyZDplZ2c=", "Basic YmlyZDplZ2c="])
        await api.shutdown(.finishing)
    }

    @Test("C2 a disk cache serves the next client with the same folder")
    func diskCache() async throws {
        let folder = URL(filePath: "/tmp/godwit-client-\(UInt64.random(in: .min ... .max))")
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = MockTransport { $0.any("*").reply(.text("ok").field(.cacheControl, "max-age=60")) }
        for _ in 0..<2 {
            let api = try APIClient(baseURL: "https://api.example.com", transport: transport) {
                $0.cache = try .disk(folder, limit: 1 << 20)
            }
            try await api.send(Endpoint<Void>.get("a"))
        }
        #expect(transport.requests.count == 1)
    }

    @Test("U1 an error of the configuration closure is rethrown unchanged, and no client is created")
    func refusedConfiguration() {
        struct Refusal: Error, Equatable {}
        let platform = #expect(throws: NetworkError.self) {
            try APIClient(baseURL: "https://api.example.com") { $0.cache = try .disk(URL(filePath: "/proc/no/folder")) }
        }
        #expect(platform?.shortDescription == "file")
        #expect(throws: Refusal()) {
            try APIClient(baseURL: "https://api.example.com", transport: mock) { _ in throw Refusal() }
        }
        let environment = APIEnvironment(name: "test", baseURL: "https://api.example.com")
        #expect(throws: Refusal()) { try APIClient(environment, transport: mock) { _ in throw Refusal() } }
    }

    @Test("U1 the initializer throws exactly the error type that its closure throws, if any")
    func typedConfiguration() async throws {
        do throws(NetworkError) {
            _ = try APIClient(baseURL: "https://api.example.com", transport: mock) { (_) throws(NetworkError) in
                throw NetworkError(.shutdown, phase: .building)
            }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.kind == .shutdown)
        }
        let changes: (inout ClientConfiguration) -> Void = { $0.userAgent = "reader" }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock, configure: changes)
        #expect(api.configuration.userAgent == "reader")
        #expect(APIClient(baseURL: "https://api.example.com", preset: .ephemeral).cookieJar == nil)
    }
}
