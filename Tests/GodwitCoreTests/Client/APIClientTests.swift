import GodwitCore
import GodwitTesting
import Testing

@Suite("E4 the client", .timeLimit(.minutes(15)))
struct APIClientTests {
    @Test("E4 with an invalid base URL, the first call throws and nothing is sent")
    func badBaseURL() async throws {
        let transport = ScriptedTransport()
        let api = APIClient(baseURL: "ftp://example.com", transport: transport)
        let error = try #require(await api.failure(of: .article(id: 1)))
        #expect(error.shortDescription == "invalid_url")
        #expect(error.phase == .building)
        #expect(transport.requests.isEmpty)
    }

    @Test("U5 a path value that would leave its segment is rejected before anything is sent")
    func badPath() async throws {
        let transport = ScriptedTransport()
        let error = try #require(await articles(transport).failure(of: Endpoint<Void>.get("a/\("..")")))
        #expect(error.shortDescription == "invalid_url")
        #expect(transport.requests.isEmpty)
    }

    @Test("U7 a header field with a line break is rejected")
    func badField() async throws {
        let error = await articles(ScriptedTransport()).failure(
            of: Endpoint<Void>.get("a").header("X-A", "1\r\nX-B: 2"))
        #expect(error?.shortDescription == "invalid_request")
    }

    @Test("E4 an error of the transport is rethrown unchanged")
    func transportError() async throws {
        let failing = ScriptedTransport { request throws(NetworkError) in
            throw NetworkError(.transport(.connectionLost("x")), phase: .receiving, request: request)
        }
        let error = try #require(await articles(failing).failure(of: .article(id: 1)))
        #expect(error.kind == .transport(.connectionLost("x")))
        #expect(error.requestID != nil)
    }

    @Test("T7 a response that a transport streams anyway can't exceed the buffer limit")
    func bounded() async throws {
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(
                head: .init(status: .ok), body: .stream { Chunks(["12345", "67890"]) }, request: request)
        }
        let error = try #require(await articles(transport) { $0.bufferLimit = 9 }.failure(of: Endpoint<Data>.get("a")))
        #expect(error.kind == .tooLarge(limit: 9))
        #expect(error.response?.status == .ok)
    }

    @Test("T4 the configuration is copied when the client is created")
    func configurationIsCopied() async throws {
        var kept = ClientConfiguration()
        kept.defaultFields["X-A"] = "1"
        let transport = ScriptedTransport()
        let api = APIClient(baseURL: "https://a.com", transport: transport, preset: kept)
        kept.defaultFields["X-A"] = "2"
        try await api.send(Endpoint<Void>.get("a"))
        #expect(transport.requests.first?.fields["X-A"] == "1")
        #expect(api.configuration.defaultFields["X-A"] == "1")
    }

    @Test("T4 the ephemeral preset reads nothing from stores and writes nothing to them")
    func ephemeral() async throws {
        let transport = ScriptedTransport()
        let api = APIClient(baseURL: "https://a.com", transport: transport, preset: .ephemeral) { $0.userAgent = nil }
        try await api.send(Endpoint<Void>.get("a"))
        #expect(api.cookieJar == nil)
        #expect(api.cacheStore == nil)
        #expect(transport.requests.first?.fields[.userAgent] == nil)
    }

    @Test("M3 every request has the default fields, user agent and request ID")
    func defaults() async throws {
        let transport = ScriptedTransport()
        let api = articles(transport) {
            $0.defaultFields = ["X-A": "1", "X-B": "1", "X-B": "2"]
            $0.requestIDs = .generated { "id-1" }
        }
        try await api.send(Endpoint<Void>.get("a").header("X-A", "mine"))
        let fields = try #require(transport.requests.first?.fields)
        #expect(fields.values(of: "X-A") == ["mine"])
        #expect(fields.values(of: "X-B") == ["1", "2"])
        #expect(fields[.userAgent] == "Godwit/0.1.0")
        #expect(fields[.requestID] == "id-1")
    }

    @Test("M3 request IDs differ between calls and can be turned off")
    func requestIDs() async throws {
        let transport = ScriptedTransport()
        let api = articles(transport)
        for _ in 1...50 { try await api.send(Endpoint<Void>.get("a")) }
        #expect(Set(transport.requests.compactMap { $0.fields[.requestID] }).count == 50)
        let silent = ScriptedTransport()
        try await articles(silent) { $0.requestIDs = .off }.send(Endpoint<Void>.get("a"))
        #expect(silent.requests.first?.fields[.requestID] == nil)
    }

    @Test("M3 a request ID set by the endpoint is kept")
    func ownRequestID() async throws {
        let transport = ScriptedTransport()
        try await articles(transport).send(Endpoint<Void>.get("a").header(.requestID, "mine"))
        #expect(transport.requests.first?.fields.values(of: .requestID) == ["mine"])
    }

    @Test("M1 the client is itself a transport: it returns responses of any status")
    func asTransport() async throws {
        let transport = ScriptedTransport(404, "gone")
        let client: any HTTPTransport = articles(transport)
        let response = try await client.send(HTTPRequest(url: try HTTPURL("https://b.com/x")))
        #expect(response.head.status == .notFound)
        #expect(transport.requests.first?.fields[.userAgent] == "Godwit/0.1.0")
        await client.shutdown(.cancelling)
        #expect(transport.shutdownMode == .cancelling)
    }

    @Test("M1 custom middlewares run outermost and innermost, in their order")
    func order() async throws {
        let seen = Collected<String>()
        let transport = ScriptedTransport([
            { .redirect(of: $0, to: "/v1/b") }, { .reply(to: $0, 200, "{}") },
        ])
        let api = articles(transport) {
            $0.middleware = [Spy("outer", seen), Spy("second", seen)]
            $0.attemptMiddleware = [Spy("inner", seen)]
        }
        try await api.send(Endpoint<Void>.get("a"))
        #expect(
            seen.values == [
                "outer /v1/a id:false", "second /v1/a id:false", "inner /v1/a id:true", "inner 302",
                "inner /v1/b id:true", "inner 200", "second 200", "outer 200",
            ])
    }

    @Test("M1 a middleware can answer a call itself")
    func answers() async throws {
        struct Canned: Middleware {
            func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
                .reply(to: call.request, 200, #"{"id": 9, "title": "canned"}"#)
            }
        }
        let transport = ScriptedTransport(500)
        let api = articles(transport) { $0.middleware = [Canned()] }
        #expect(try await api.send(.article(id: 1)).id == 9)
        #expect(transport.requests.isEmpty)
    }

    @Test("M1 an error contains the number of its attempt")
    func attempt() async throws {
        struct Twice: Middleware {
            func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
                var call = call
                do throws(NetworkError) {
                    return try await next(call)
                } catch {
                    call.startAttempt(after: error)
                }
                return try await next(call)
            }
        }
        let failing = ScriptedTransport { request throws(NetworkError) in
            throw NetworkError(.timedOut(.total), phase: .sending, request: request)
        }
        let error = await articles(failing) { $0.middleware = [Twice()] }.failure(of: .article(id: 1))
        #expect(error?.attempt == 2)
        #expect(failing.requests.count == 2)
    }

    @Test(
        "M4 an error contains the attempt count after lost connections, error statuses and unreadable bodies",
        arguments: [
            [MockResponse.failure(.transport(.connectionLost("gone")))], [.status(503)],
            [.status(503), .status(503), .text("not JSON")],
        ])
    func attempts(replies: [MockResponse]) async throws {
        let mock = MockTransport { $0.any("*").replies(replies) }
        let api = articles(mock) {
            $0.retry.maximumAttempts = 3
            $0.retry.backoff = Backoff(base: .zero)
        }
        let error = await api.failure(of: .article(id: 1))
        #expect(error?.attempt == 3)
        #expect(mock.requestCount == 3)
    }

    struct Spy: Middleware {
        let name: String
        let seen: Collected<String>

        init(_ name: String, _ seen: Collected<String>) {
            self.name = name
            self.seen = seen
        }

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            seen.append("\(name) \(call.request.url.path) id:\(call.request.fields.contains(.requestID))")
            let response = try await next(call)
            seen.append("\(name) \(response.head.status)")
            return response
        }
    }
}
