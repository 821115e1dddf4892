import Godwit
import GodwitTesting
import Testing

enum TestingSnippets {
    static func scripted() async throws {
        // snippet: scripted
        let mock = MockTransport {
            $0.get("/articles/:id").reply { request in
                .json(["id": 7, "title": "Article \(request.parameters["id"] ?? "")"])
            }
            $0.get("/articles").replies([.status(404), .json([["id": 1, "title": "Tides"]])])
            $0.post("/articles").fail(.offline(.noPath))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        // end
        let article = try await api.send(.article(id: 7))
        #expect(article.title == "Article 7")
        let first = await api.result(of: .articles(page: 1))
        #expect(first.failureKind == .notFound)
        let second = await api.result(of: .articles(page: 1))
        #expect(second.failureKind == nil)
        let third = await api.result(of: .create(Draft(title: "New")))
        #expect(third.failureKind == .offline(.noPath))
    }

    static func json() async throws {
        let article = Article(id: 1, title: "Tides")
        // snippet: mock-json
        let mock = MockTransport {
            $0.get("/articles/1").reply(json: article)
            $0.post("/articles").reply { request in
                .json(Article(id: 2, title: try request.decoded(as: Draft.self).title), status: .created)
            }
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.json = JSONCoding(keys: .snakeCase, dates: .epochSeconds)
        }
        #expect(try await api.send(.article(id: 1)) == article)
        _ = try await api.send(.create(Draft(title: "Winds")))
        #expect(try mock.requests[1].decoded(as: Draft.self) == Draft(title: "Winds"))
        // end
    }

    static func strict() async throws {
        // snippet: strict
        let mock = MockTransport {
            $0.get("/articles/:id").reply(json: ["id": 1, "title": "Tides"])
            $0.get("/health").optional().reply(.status(.noContent))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        _ = try await api.send(.article(id: 1))
        try mock.verify()
        // end
    }

    static func waits() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(.noContent)) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        // snippet: waits
        Task { try await api.send(.export) }  // code that sends in the background
        let requests = try await mock.waitForRequests(count: 1, within: .seconds(5))
        #expect(requests[0].path == "/export")
        // end
    }

    static func server() async throws {
        // snippet: server
        let server = try await MockServer { route in
            route.get("/articles/1").reply(json: ["id": 1, "title": "Tides"])
            route.get("/broken").reply(.bytes(Data(count: 5000)).dropped(after: .bytes(1000)))
            route.get("/late").reply(.hang)
            route.post("/articles").reply { request in
                let draft = try request.decoded(as: Draft.self)
                return .json(["id": 2, "title": "\(draft.title)"], status: .created)
            }
        }
        let api = APIClient(baseURL: server.url)
        let created = try await api.send(.create(Draft(title: "Winds")))
        #expect(created.id == 2)
        #expect(server.requests.last?.fields[.contentType] == "application/json")
        await server.stop()
        // end
    }

    static func faults() async throws {
        let server = try await MockServer { route in
            route.get("/broken").reply(.bytes(Data(count: 5000)).dropped(after: .bytes(1000)))
        }
        let api = APIClient(baseURL: server.url)
        // snippet: fault
        let error = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Data>.get("broken")) }
        guard case .transport(.connectionLost) = error?.kind else {
            Issue.record("not the error expected: \(String(describing: error))")
            return
        }
        // end
        await server.stop()
    }

    static func cassette() async throws {
        let folder = URL(filePath: "/tmp/godwit-cassette-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "articles.json")
        let server = MockTransport { $0.get("/v1/articles/42").reply(json: ["id": 42, "title": "Tides"]) }
        try await record(to: file, from: server)
        // The second run has no server.
        try await record(to: file, from: MockTransport { $0.any("*").fail(.offline(.noPath)) })
        #expect(server.requestCount == 1)
        // snippet: cassette-matching
        var matching = Cassette.Matching.lenient
        matching.fields = [.accept]
        matching.ignoredQueryItems = ["timestamp"]
        let cassette = try Cassette(at: file, matching: matching)
        // end
        #expect(cassette.unused == ["GET https://api.example.com/v1/articles/42"])
    }

    private static func record(to file: URL, from transport: some HTTPTransport) async throws {
        // snippet: cassette
        let cassette = try Cassette(at: file, mode: .recordOnce)
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
            $0.attemptMiddleware.append(cassette)
        }
        _ = try await api.send(.article(id: 42))
        #expect(cassette.unused.isEmpty)
        // end
    }

    static func archive() async throws {
        let folder = URL(filePath: "/tmp/godwit-har-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "calls.har")
        var options = HAROptions()
        options.bodyLimit = 1 << 10
        let recorder = HARRecorder(options: options)
        let recorded = APIClient(
            baseURL: "https://api.example.com",
            transport: MockTransport { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        ) {
            $0.recorder = recorder
        }
        _ = try await recorded.send(.article(id: 1))
        try recorder.save(to: file)
        // snippet: har-server
        let server = try await MockServer(har: file)
        let api = APIClient(baseURL: server.url)
        #expect(try await api.send(.article(id: 1)).title == "Tides")

        let cassette = try Cassette(har: file, matching: .lenient)
        let mock = MockTransport { route in
            route.get("/health").optional().reply(.status(.noContent))
            route.replay(cassette)
        }
        // end
        let other = APIClient(baseURL: "https://api.example.com", transport: mock)
        #expect(try await other.send(.article(id: 1)).title == "Tides")
        await server.stop()
    }

    static func time() async throws {
        // snippet: clock
        let clock = TestClock()
        let mock = MockTransport(clock: clock) { $0.get("/slow").reply(.text("late"), after: .seconds(30)) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        let load = Task { try await api.send(Endpoint<String>.get("slow")) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        let text = try await load.value
        #expect(text == "late")
        // end
    }

    static func backoff() async throws {
        // snippet: clock-retry
        let mock = MockTransport {
            $0.get("/articles/1").replies([.status(503), .status(503), .json(["id": 1, "title": "Tides"])])
        }
        let clock = ImmediateClock()
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.clock = clock }
        _ = try await api.send(.article(id: 1))  // tried three times, without waiting
        #expect(clock.sleeps.count == 2)  // and these were the pauses
        // end
        let test = TestClock()
        let other = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.clock = test }
        _ = try await test.run { try await other.send(.article(id: 1)) }
    }

    static func debounce() async throws {
        // snippet: clock-debounce
        let clock = TestClock()
        let search = Debounced(for: .milliseconds(300), clock: clock) { (text: String) in text.uppercased() }
        async let overtaken = search("ti")
        try await clock.waitForSleepers()
        async let last = search("tides")
        #expect(try await overtaken == nil)
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(300))
        #expect(try await last == "TIDES")
        // end
    }

    static func pings() async throws {
        // snippet: clock-ping
        let mock = MockTransport { route in
            route.webSocket("/live") { socket in
                socket.fallSilent()
                try await Task.sleep(for: .seconds(3600))  // ends with the connection
            }
        }
        let clock = TestClock()
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        let socket = try await api.webSocket("live") {
            $0.clock = clock
            $0.keepalive = WebSocketKeepalive(interval: .seconds(30), timeout: .seconds(10))
        }
        let reader = Task { try await socket.receive() }
        #expect(try await clock.nextSleep() == .seconds(30))  // then a ping is sent
        #expect(try await clock.nextSleep() == .seconds(10))  // and no pong comes
        let error = await #expect(throws: NetworkError.self) { try await reader.value }
        #expect(error?.kind == .timedOut(.inactivity))
        // end
    }

    static func expiry() async throws {
        // snippet: clock-expiry
        let clock = TestClock()
        let mock = MockTransport {
            $0.get("/articles/1").reply(.json(["id": 1, "title": "Tides"]).field(.cacheControl, "max-age=60"))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.middleware.append(Caching(MemoryCacheStore(), now: { clock.now.date }))
        }
        for _ in 1...3 { _ = try await api.send(.article(id: 1)) }
        #expect(mock.requestCount == 1)
        clock.advance(by: .seconds(61))
        _ = try await api.send(.article(id: 1))
        #expect(mock.requestCount == 2)
        // end
    }
}

extension Result where Failure == NetworkError {
    var failureKind: NetworkError.Kind? {
        if case .failure(let error) = self { error.kind } else { nil }
    }
}
