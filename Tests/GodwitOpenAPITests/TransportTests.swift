#if OpenAPI
import Godwit
import GodwitOpenAPI
import GodwitTesting
import HTTPTypes
import OpenAPIRuntime
import Synchronization
import TestSupport
import Testing

/// A generated client over Godwit, on real sockets.
@Suite("Clients of swift-openapi-generator", .timeLimit(.minutes(15)))
struct TransportTests {
    private typealias Bird = Components.Schemas.Bird

    private func client(
        _ server: MockServer, _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> Client {
        let api = APIClient(baseURL: server.url) {
            $0.clock = ImmediateClock()
            configure(&$0)
        }
        let url = try #require(URL(string: "\(server.url)v1/"))
        return Client(serverURL: url, transport: GodwitTransport(api))
    }

    @Test("I2 C1 C2 a client's cache, coalescing, redirects and limits apply to a generated client")
    func settings() async throws {
        let server = try await MockServer {
            $0.get("/v1/birds/7").reply { _ in
                .json(["id": 7, "name": "Uferschnepfe"]).field(.cacheControl, "max-age=60")
            }
            $0.get("/v1/birds/8").reply(.redirect(to: "/v1/birds/7"))
        }
        let cached = try client(server) { $0.cache = .memory(limit: 1 << 20) }
        for _ in 0..<3 { _ = try await cached.getBird(.init(id: 7)) }
        #expect(server.requestCount == 1)
        let shared = try client(server) { $0.coalescesRequests = true }
        _ = try await shared.getBird(.init(id: 7))
        let blocking = try client(server) { $0.redirects = .block }
        guard case .undocumented(let status, _) = try await blocking.getBird(.init(id: 8)) else {
            Issue.record("followed")
            return
        }
        #expect(status == 302)
        let limited = try client(server) { $0.responseLimit.decoded = 5 }
        let error = await #expect(throws: ClientError.self) { try await limited.getBird(.init(id: 7)) }
        #expect(error?.networkError?.kind == .tooLarge(limit: 5))
    }

    @Test("I2 parameters, JSON bodies, documented and undocumented statuses arrive as the document says")
    func operations() async throws {
        let server = try await MockServer {
            $0.get("/v1/birds/7").reply(json: ["id": 7, "name": "Uferschnepfe"])
            $0.get("/v1/birds/8").reply(.status(404))
            $0.get("/v1/birds/9").reply(.text("teapot", status: HTTPStatus(418) ?? .ok).field("X-Note", "tea"))
            $0.post("/v1/birds").reply { request in .json(try request.json(), status: .created) }
        }
        let client = try client(server)
        guard case .ok(let bird) = try await client.getBird(.init(id: 7, language: "de & en")) else {
            Issue.record("no bird")
            return
        }
        #expect(bird == Bird(id: 7, name: "Uferschnepfe"))
        #expect(server.requests[0].queryValue("language") == "de & en")
        #expect(server.requests[0].fields[.accept] == "application/json")
        guard case .notFound = try await client.getBird(.init(id: 8)) else {
            Issue.record("8 was found")
            return
        }
        guard case .undocumented(418, let payload) = try await client.getBird(.init(id: 9)), let body = payload.body
        else {
            Issue.record("418 is documented")
            return
        }
        #expect(try await String(collecting: body, upTo: 100) == "teapot")
        #expect(payload.headerFields.contains { $0.name.canonicalName == "x-note" && $0.value == "tea" })
        guard case .created(let created) = try await client.createBird(Bird(id: 1, name: "Pfuhlschnepfe")) else {
            Issue.record("not created")
            return
        }
        #expect(created.name == "Pfuhlschnepfe")
        let request = server.requests[3]
        #expect(request.fields.values(of: .contentLength).count == 1)
        #expect(request.fields[.contentType] == "application/json; charset=utf-8")
    }

    @Test("I2 a client gains retry, sign-in and the operation's ID for middlewares by the client below it")
    func features() async throws {
        let server = try await MockServer {
            $0.get("/v1/birds/7").replies([
                .status(503), .json(["id": 7, "name": "Uferschnepfe"]),
            ])
        }
        let seen = SeenOperations()
        let client = try client(server) {
            $0.authentication = .credential(.bearer("t0ken"))
            $0.middleware.append(seen)
        }
        guard case .ok = try await client.getBird(.init(id: 7)) else {
            Issue.record("no bird")
            return
        }
        #expect(server.requests.map { $0.fields[.authorization] } == ["Bearer t0ken", "Bearer t0ken"])
        #expect(seen.operations == ["getBird"])
    }

    @Test("I2 whatever the network does is one error, in the call and while a body is read")
    func errors() async throws {
        let port = try HeldPort()
        let server = try await MockServer(.at(port)) {
            $0.get("/v1/birds/7").reply(.bytes(Data(count: 10)).dropped(after: .bytes(0)))
            $0.get("/v1/birds/1/song").reply(.bytes(Data(count: 100_000)).dropped(after: .bytes(50_000)))
            $0.post("/v1/birds").reply(.text("no JSON", status: .created).field(.contentType, "application/json"))
        }
        let client = try client(server) { $0.retry.maximumAttempts = 1 }
        let failure = try await #require(throws: ClientError.self) { _ = try await client.getBird(.init(id: 7)) }
        guard case .transport(.connectionLost) = try #require(failure.networkError).kind else {
            Issue.record("\(failure)")
            return
        }
        guard case .ok(let song) = try await client.getSong(1) else {
            Issue.record("no song")
            return
        }
        await #expect(throws: NetworkError.self) { for try await _ in song {} }
        let invalid = try await #require(throws: ClientError.self) {
            _ = try await client.createBird(Bird(id: 1, name: "x"))
        }
        #expect(invalid.networkError == nil)
        await server.stop()
        let refused = try await #require(throws: ClientError.self) { _ = try await client.getBird(.init(id: 7)) }
        #expect(refused.networkError?.shortDescription == "transport.cannot_connect")
    }

    @Test("I2 canceling the task ends the call as .cancelled, and the exchange on the server")
    func cancellation() async throws {
        let server = try await MockServer { $0.get("/v1/birds/7").reply(.hang) }
        let client = try client(server)
        let call = Task { _ = try await client.getBird(.init(id: 7)) }
        _ = try await server.waitForRequests(count: 1)
        call.cancel()
        let failure = try await #require(throws: ClientError.self) { try await call.value }
        guard case .cancelled = failure.networkError?.kind else {
            Issue.record("\(failure)")
            return
        }
        try await server.waitUntilConnectionsClose()
    }

    @Test("I2 a request without a URL or with fields that can't be sent is the same error, and nothing is sent")
    func invalid() async throws {
        let mock = MockTransport { $0.any("*").optional().reply(.text("x")) }
        let transport = GodwitTransport(mock)
        let ftp = try #require(URL(string: "ftp://example.com"))
        let request = HTTPTypes.HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/birds")
        await #expect(throws: NetworkError.self) {
            _ = try await transport.send(request, body: nil, baseURL: ftp, operationID: "x")
        }
        #expect(mock.requestCount == 0)
    }

    @Test(
        "I2 a path parameter that would leave its segment is refused, and nothing is sent",
        arguments: ["/things/../echo", "/things/./echo", "/things/..", "/%2e%2E/echo", "/things/.%2e?q=1", "/%2E"])
    func dots(path: String) async throws {
        let mock = MockTransport { $0.any("*").optional().reply(.text("x")) }
        let url = try #require(URL(string: "https://example.com/v1"))
        let request = HTTPTypes.HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
        let error = await #expect(throws: NetworkError.self) {
            _ = try await GodwitTransport(mock).send(request, body: nil, baseURL: url, operationID: "x")
        }
        #expect(error?.kind == .invalidURL(reason: "the path contains a . or .. segment"))
        #expect(mock.requestCount == 0)
    }

    @Test("I2 dots inside of a segment or a query are sent")
    func harmlessDots() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("x")) }
        let url = try #require(URL(string: "https://example.com/v1"))
        let request = HTTPTypes.HTTPRequest(
            method: .get, scheme: nil, authority: nil, path: "/a..b/.../.hidden?p=/../c")
        _ = try await GodwitTransport(mock).send(request, body: nil, baseURL: url, operationID: "x")
        #expect(mock.requests.map(\.url?.target) == ["/v1/a..b/.../.hidden?p=/../c"])
    }

    @Test(
        "I2 an operation's path stands below the server's, with the operation's query only",
        arguments: [
            ("http://h", "/things", "http://h/things"), ("http://h/", "/things", "http://h/things"),
            ("http://h//", "/things", "http://h/things"), ("http://h/v1", "/things", "http://h/v1/things"),
            ("http://h/v1/", "/things", "http://h/v1/things"), ("http://h/v1", "/", "http://h/v1/"),
            ("http://h/v1", "", "http://h/v1"), ("http://h", "", "http://h/"),
            ("http://h:81/a%2Fb", "/c%2Fd", "http://h:81/a%2Fb/c%2Fd"),
            ("http://h/api?key=1", "/things/7", "http://h/api/things/7"),
            ("http://h/api?key=1", "/things?q=2", "http://h/api/things?q=2"),
            ("http://h?key=1", "/things", "http://h/things"), ("http://h/?", "/things", "http://h/things"),
            ("http://h/api?", "/things?", "http://h/api/things?"),
            ("http://h/api#frag", "/things", "http://h/api/things"),
            ("http://h#frag", "/things?q=2", "http://h/things?q=2"),
            ("http://h/api?a=1#frag?b", "/things", "http://h/api/things"),
            ("http://h/api#frag?a=1", "/things", "http://h/api/things"),
            ("http://h", "things", "http://h/things"), ("http://h/v1", "?q=2", "http://h/v1?q=2"),
            ("http://h", ".evil.example/x", "http://h/.evil.example/x"),
        ])
    func bases(base: String, path: String, sent: String) async throws {
        let mock = MockTransport { $0.any("*").reply(.text("x")) }
        let url = try #require(URL(string: base))
        let request = HTTPTypes.HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
        _ = try await GodwitTransport(mock).send(request, body: nil, baseURL: url, operationID: "x")
        #expect(mock.requests.map(\.url?.description) == [sent])
    }
}

/// Notes the operations that pass.
private final class SeenOperations: RequestMiddleware {
    private let state = Mutex<[String]>([])

    var operations: [String] { state.withLock(\.self) }

    func prepare(_ call: inout Call) {
        let operation = call.request.options.operationID ?? "none"
        state.withLock { $0.append(operation) }
    }
}
#endif
