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

    @Test("A field for every call")
    func own() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        // snippet: recipe-M1-use
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.middleware.append(Tenant(name: "reader"))  // once a call; attemptMiddleware: each request that goes out
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
        print(response.request.curlCommand)  // as sent, fields of the client included; secrets are <redacted>

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
            $0.tracing = Tracing()  // traceparent
            $0.requestIDs = .automatic  // X-Request-ID, by default
            $0.userAgent = "Reader/3.1"
            $0.defaultFields[.acceptLanguage] = "de"
        }
        try await api.send(.export)
        let archive = try recorder.data()  // or save(to:); any browser's network tab opens it
        // end
        let sent = transport.requests[0].fields
        #expect(sent["traceparent"] != nil && sent[.requestID] != nil && sent[.userAgent] == "Reader/3.1")
        #expect(recorder.count == 1 && !archive.isEmpty)
    }

    @Test("What fails is sent again")
    func retry() async throws {
        let transport = MockTransport {
            $0.get("/articles/1").replies([.status(503), .json(["id": 1, "title": "Tides"])])
            $0.post("/articles").replies([.status(503), .json(["id": 2, "title": "Winds"])])
        }
        // snippet: recipe-M4
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.retry.maximumAttempts = 4  // 3 by default
            $0.retry.backoff = Backoff(base: .milliseconds(1), factor: 2, cap: .seconds(5))
        }
        let article = try await api.send(.article(id: 1))  // GET: sent again
        let created = try await api.send(.create(Draft(title: "Winds")).idempotencyKey("draft-17"))  // POST: with a key
        // end
        #expect(article.id == 1 && created.id == 2 && transport.requestCount == 4)
    }

    @Test("Many callers, one transfer")
    func coalescing() async throws {
        let transport = MockTransport { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        // snippet: recipe-M5
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.coalescesRequests = true }
        async let left = api.send(.article(id: 1))
        async let right = api.send(.article(id: 1))  // shares the transfer of the other
        // end
        #expect(try await left == right)
        #expect((1...2).contains(transport.requestCount))
    }

    @Test("Not too many, not too fast")
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

    @Test("A host that is down is left alone")
    func breaker() async throws {
        let transport = MockTransport { _ in .status(503) }
        // snippet: recipe-M7
        var options = CircuitBreaker.Options()
        options.failures = 2  // 5 by default
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.circuitBreaker = options
            $0.retry.maximumAttempts = 1
        }
        // hidden
        for _ in 1...3 {
            // shown
            do throws(NetworkError) {
                try await api.send(.export)
            } catch {  // after two failures nothing is sent for a while
                if let open = error.underlying as? CircuitOpen { print("again in", open.retryAfter ?? .zero) }
            }
            // hidden
        }
        // end
        #expect(transport.requestCount == 2)
    }

    @Test("Without a network a call fails at once, or waits")
    func connectivity() async throws {
        let transport = MockTransport { _ in .status(.noContent) }
        let monitor = PathFeed(.unsatisfied)
        // snippet: recipe-M8
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.connectivity = .failFast  // .attempt by default; .wait(upTo: .seconds(30))
            $0.pathMonitor = { monitor }  // the system's by default
        }
        // hidden
        let error = await thrownError {
            // shown
            try await api.send(.export)  // without a network: throws .offline(.noPath) at once
            // hidden
        }
        // end
        #expect(error?.kind == .offline(.noPath))
    }
}
