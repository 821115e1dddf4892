import Godwit
import GodwitTesting
import GodwitTestingTraits
import GodwitURLSession
import GodwitURLSessionTesting
import Testing

@Suite("Recipes: tests")
struct TestingRecipes {
    @Test("Answers from a script")
    func mock() async throws {
        // snippet: recipe-X1
        let mock = MockTransport {
            $0.get("/articles/:id").reply { .json(["id": 7, "title": "Article \($0.parameters["id"] ?? "")"]) }
            $0.post("/articles").fail(.offline(.noPath))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        #expect(try await api.send(.article(id: 7)).title == "Article 7")
        #expect(mock.requests.map(\.path) == ["/articles/7"])
        // end
        #expect(await thrownError { _ = try await api.send(.create(Draft(title: ""))) }?.kind == .offline(.noPath))
    }

    @Test("Code that uses URLSession itself")
    func stub() async throws {
        let url = try #require(URL(string: "https://api.example.com/title"))
        // snippet: recipe-X2
        let stub = URLSessionStub(answeredBy: MockTransport { $0.get("/title").reply(.text("Tides")) })
        let session = URLSession(configuration: stub.configuration)
        let (data, _) = try await session.data(from: url)
        // end
        #expect(String(decoding: data, as: UTF8.self) == "Tides")
        session.invalidateAndCancel()
    }

    @Test("A server that lies and hangs up")
    func server() async throws {
        // snippet: recipe-X3
        let server = try await MockServer {
            $0.get("/broken").reply(.bytes(Data(count: 5000)).dropped(after: .bytes(1000)))
            $0.get("/slow").reply(.text("late").throttled(bytesPerSecond: 100))
            $0.get("/odd").reply(.raw("HTTP/1.1 two hundred\r\n\r\n"))
        }
        let api = APIClient(baseURL: server.url) { $0.retry.maximumAttempts = 1 }
        // hidden
        let error = await thrownError {
            // shown
            _ = try await api.send(Endpoint<Data>.get("broken"))  // throws .transport(.connectionLost)
            // hidden
        }
        // shown
        #expect(server.requestCount == 1)
        await server.stop()
        // end
        guard case .transport(.connectionLost) = error?.kind else { throw RecipeFailure("not lost") }
    }

    #if os(Linux)
    @Test("A server whose certificate is wrong")
    func secureServer() async throws {
        // snippet: recipe-X3-tls
        let server = try await MockServer(.tls { $0.certificate = .wrongHost }) {  // or .tls, .expired, .selfSigned …
            $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"])
        }
        let api = APIClient(baseURL: server.url) { $0.tls.trust(server) }
        // hidden
        let error = await thrownError {
            // shown
            _ = try await api.send(.article(id: 1))  // throws .insecure(.hostMismatch("127.0.0.1"))
            // hidden
        }
        // shown
        await server.stop()
        // end
        #expect(error?.kind == .insecure(.hostMismatch("127.0.0.1")))
    }
    #endif

    @Test("A real response, recorded once")
    func cassette() async throws {
        let file = URL(filePath: "/tmp/godwit-recipe-\(UInt64.random(in: .min ... .max)).json")
        defer { try? FileManager.default.removeItem(at: file) }
        for transport in [
            MockTransport { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) },
            MockTransport { $0.any("*").fail(.offline(.noPath)) },
        ] {
            // snippet: recipe-X4
            let cassette = try Cassette(at: file, mode: .recordOnce)  // .replay by default
            // hidden: , transport: transport
            let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
                $0.attemptMiddleware.append(cassette)
            }
            #expect(try await api.send(.article(id: 1)).title == "Tides")  // from the second run on without the server
            // end
        }
    }

    @Test("Time that a test advances")
    func clock() async throws {
        let mock = MockTransport { $0.get("/export").replies([.status(503), .status(.noContent)]) }
        // snippet: recipe-X5
        let clock = TestClock()
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.clock = clock }
        async let export: Void = api.send(.export)  // fails, and waits before it tries again
        try await clock.nextSleep()  // waits for the pause, then advances the clock to its end
        try await export
        // end
        #expect(mock.requestCount == 2)
    }

    @Test("Routes that are used as they are written")
    func strict() async throws {
        // snippet: recipe-X6
        let mock = MockTransport {
            $0.get("/articles/:id").reply(json: ["id": 7, "title": "Tides"])
            $0.get("/health").optional().reply(.status(.noContent))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        _ = try await api.send(.article(id: 7))
        try mock.verify()  // throws for a request without a route, and for a route without a request
        // end
        _ = await api.result(of: Endpoint<Data>.get("article/7"))
        #expect(throws: MockFailure.self) { try mock.verify() }
    }
}

/// Stands for a user's transport.
private struct OwnTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        throw NetworkError(.offline(.noPath), phase: .connecting, request: request)
    }
}

@Suite("Recipes: bad networks", .disabled("compiled only: this transport sends nothing"))
struct BadNetworkRecipes {
    // snippet: recipe-X7
    @Test(arguments: BadNetworkScenario.all)
    func badNetwork(_ scenario: BadNetworkScenario) async throws {
        try await scenario.check(OwnTransport())
    }
    // end
}

// snippet: recipe-X6-trait
@Suite(.strictMocks)  // import GodwitTestingTraits
struct ArticleTests {
    @Test func title() async throws {
        let mock = MockTransport { $0.get("/articles/:id").reply(json: ["id": 7, "title": "Tides"]) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        #expect(try await api.send(.article(id: 7)).title == "Tides")
    }
}
// end
