import Godwit
import GodwitTesting
import Synchronization
import Testing

// snippet: recipe-M1
struct Tenant: Middleware {
    let name: String

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var call = call
        call.request.fields["X-Tenant"] = name
        return try await next(call)
    }
}
// end

@Suite("Recipes: middlewares")
struct MiddlewareRecipes {
    private let base = "https://api.example.com"

    @Test("A header field for every call")
    func own() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-M1-use
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.middleware.append(Tenant(name: "reader"))  // once per call; attemptMiddleware: once per request
        }
        // end
        try await api.send(.export)
        #expect(transport.requests.map { $0.fields["X-Tenant"] } == ["reader"])
    }

    @Test("A log without secrets")
    func logging() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        let lines = Mutex<[String]>([])
        let write: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        // snippet: recipe-M2
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.logging.level = .headers  // .off by default; .basic, .headers, .bodies
            $0.logging.destination = { line in write(line) }  // standard error by default
            $0.logging.redactedNames = ["iban"]
        }
        // end
        try await api.send(Endpoint<Void>.get("pay", query: ["iban": "DE02"]).header(.authorization, "Bearer s3cret"))
        let text = lines.withLock { $0.joined() }
        #expect(text.contains("/pay") && !text.contains("s3cret") && !text.contains("DE02"))
    }

    @Test("G4 A request is shown as a curl command, and read from one")
    func curl() async throws {
        let transport = MockTransport {
            $0.get("/articles/42").reply(json: ["id": 42, "title": "Tides"])
            $0.post("/articles").reply(json: ["id": 43, "title": "Tides"], status: .created)
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        // snippet: recipe-G4
        let response = try await api.response(for: .article(id: 42))
        print(response.request.curlCommand)  // as sent, with the client's header fields; secrets are <redacted>

        let copied = try HTTPRequest(curl: #"curl https://api.example.com/articles --json '{"title": "Tides"}'"#)
        let created = try await api.send(copied)
        // end
        #expect(created.head.status == .created)
    }

    @Test("An archive of the traffic, and traces")
    func recording() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-M3
        let recorder = HARRecorder()
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.recorder = recorder
            $0.tracing = Tracing()  // sends traceparent; X-Request-ID is sent by default
        }
        try await api.send(.export)
        let archive = try recorder.data()  // or save(to:); open it in a browser's network tab
        // end
        let sent = transport.requests[0].fields
        #expect(sent["traceparent"] != nil && sent[.requestID] != nil)
        #expect(recorder.count == 1 && !archive.isEmpty)
    }

    @Test("A failed request is retried")
    func retry() async throws {
        let clock = ImmediateClock()
        let transport = MockTransport {
            $0.get("/articles/1").replies([.status(503), .json(["id": 1, "title": "Tides"])])
            $0.post("/articles").replies([.status(503), .json(["id": 2, "title": "Winds"])])
        }
        let draft = Draft(title: "Winds")
        // snippet: recipe-M4
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.retry.maximumAttempts = 4  // 3 by default
            $0.retry.backoff = Backoff(base: .milliseconds(500), cap: .seconds(30))  // the default
            // hidden
            $0.clock = clock
            // shown
        }
        let article = try await api.send(.article(id: 1))  // GET: retried
        let created = try await api.send(.create(draft).idempotencyKey("draft-17"))  // POST: retried if it has a key
        // end
        #expect(article.id == 1 && created.id == 2 && transport.requestCount == 4)
    }

    @Test("Equal requests share one transfer")
    func coalescing() async throws {
        let transport = MockTransport { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        // snippet: recipe-M5
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.coalescesRequests = true }
        async let left = api.send(.article(id: 1))
        async let right = api.send(.article(id: 1))  // shares the first call's transfer
        // end
        #expect(try await left == right)
        #expect((1...2).contains(transport.requestCount))
    }

    @Test("Limits of concurrency and rate")
    func limits() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-M6
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.concurrency.total = 20
            $0.concurrency.perHost = 6
            $0.rateLimit = .tokenBucket(perSecond: 10, burst: 20)  // or .slidingWindow, .learned
        }
        // end
        for _ in 1...3 { try await api.send(.export) }
        #expect(transport.requestCount == 3)
    }

    @Test("No requests to a host that is down")
    func breaker() async throws {
        let transport = MockTransport { _ in .status(503) }
        var shown: [Duration?] = []
        func showPause(_ pause: Duration?) { shown.append(pause) }
        // snippet: recipe-M7
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.circuitBreaker = CircuitBreaker.Options()  // opens after 5 failures in a row, for 15 seconds
            // hidden
            $0.retry.maximumAttempts = 1
            // shown
        }
        // hidden
        for _ in 1...7 {
            // shown
            do throws(NetworkError) {
                try await api.send(.export)
            } catch {
                if let open = error.underlying as? CircuitOpen { showPause(open.retryAfter) }
            }
            // hidden
        }
        // end
        #expect(transport.requestCount == 5)
        #expect(shown.count == 2 && shown.allSatisfy { $0 ?? .zero > .zero })
    }

    @Test("Without a network a call fails immediately, or waits")
    func connectivity() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        let monitor = PathFeed(.unsatisfied)
        // snippet: recipe-M8
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.connectivity = .failFast  // .attempt by default; or .wait(upTo: .seconds(30))
            // hidden
            $0.pathMonitor = { monitor }
            // shown
        }
        // hidden
        let error = await thrownError {
            // shown
            try await api.send(.export)  // throws .offline(.noPath) without a network
            // hidden
        }
        // end
        #expect(error?.kind == .offline(.noPath))
    }
}
