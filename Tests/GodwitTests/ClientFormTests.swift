import Godwit
import GodwitTesting
import Synchronization
import TestSupport
import Testing

/// How a client is made, and what it says of itself.
@Suite("The standard client: initializers and description", .timeLimit(.minutes(15)))
struct ClientFormTests {
    private enum Refused: Error {
        case here
    }

    @Test("U11 an environment creates a client with the platform's engine; the closure takes precedence")
    func environment() async throws {
        let server = try await MockServer { route in route.get("/v1/a").reply(.text("ok")) }
        let environment = APIEnvironment(name: "test", baseURL: "\(server.url)v1", logLevel: .basic)
        let api = APIClient(environment) {
            #expect($0.logging.level == .basic)
            $0.logging.level = .off
            $0.userAgent = "bird"
        }
        #expect(try await api.send(Endpoint<String>.get("a")) == "ok")
        #expect(server.requests.first?.fields[.userAgent] == "bird")
        #expect(api.configuration.logging.level == .off)

        let short = APIClient(environment)
        #expect(short.configuration.logging.level == .basic)
        #expect(throws: Refused.here) { try APIClient(environment) { _ throws(Refused) in throw .here } }
        await server.stop()
    }

    @Test("U11 the catalogue's selection creates a client in one line")
    func catalogue() async throws {
        let server = try await MockServer { route in route.get("/a").reply(.text("ok")) }
        let catalogue = EnvironmentCatalogue([.production("https://api.example.com"), .staging("\(server.url)")])
        let api = APIClient(try catalogue.selected(variables: ["API_ENVIRONMENT": "staging"]))
        #expect(try await api.send(Endpoint<String>.get("a")) == "ok")
        await server.stop()
    }

    @Test("T10 the configured connections per host reach the platform's engine")
    func connectionsPerHost() async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(.chunks([Data("a".utf8), Data("b".utf8)], every: .milliseconds(1)))
        }
        let api = APIClient(baseURL: server.url) { $0.connections.maximumPerHost = 2 }
        _ = try await (0..<20).concurrentMap(limit: 20) { _ throws(NetworkError) in
            try await api.send(Endpoint<String>.get("a"))
        }
        #expect((1...2).contains(server.connectionCount))
        let wrong = APIClient(baseURL: server.url) { $0.connections.maximumPerHost = 0 }
        let error = await #expect(throws: NetworkError.self) { try await wrong.send(Endpoint<String>.get("a")) }
        #expect(error?.shortDescription == "invalid_request")
        await server.stop()
    }

    @Test("T4 a client describes itself in one line: base URL, engine, protocols and features, no secrets")
    func description() throws {
        let api = APIClient(baseURL: "https://api.example.com/v1?api_key=s3cret") {
            $0.authentication = .credential(.bearer("s3cret"))
            $0.cache = .memory(limit: 1 << 20)
            $0.middleware.append(DefaultFields(["X-Secret": "s3cret"]))
            $0.pins["api.example.com"] = [
                .sha256(Data(repeating: 1, count: 32).base64EncodedString()),
                .sha256(Data(repeating: 2, count: 32).base64EncodedString()),
            ]
        }
        let text = api.debugDescription
        #expect(text.contains("https://api.example.com/v1") && !text.contains("s3cret") && !text.contains("\n"))
        #if os(Linux)
        #expect(text.contains(" over Godwit sockets ") && text.contains("(HTTP/2, HTTP/1.1)"))
        #else
        #expect(text.contains(" over URLSession "))
        #endif
        for part in ["authentication", "cache in memory", "cookies in memory", "DefaultFields", "3 attempts", "pins"] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(!text.contains("recorder") && !text.contains("rate limit"))
    }

    @Test("T4 a client that can't send says why in its description")
    func faultyDescription() {
        #expect(APIClient(baseURL: "no url").debugDescription.contains("no URL ("))
        let wrong = APIClient(baseURL: "https://api.example.com") { $0.connections.maximumPerHost = 0 }
        #expect(wrong.debugDescription.contains("at least one connection per host"))
        let mock = APIClient(baseURL: "https://api.example.com", transport: MockTransport { _ in })
        #expect(mock.debugDescription.contains("over MockTransport"))
    }

    @Test("M2 the log shows the fields that the platform's engine adds")
    func logOfEngine() async throws {
        let server = try await MockServer { route in route.post("/a").reply(.text("ok")) }
        let messages = Mutex<[String]>([])
        let api = APIClient(baseURL: server.url) {
            $0.logging.level = .headers
            $0.logging.destination = { message in messages.withLock { $0.append(message) } }
        }
        try await api.send(Endpoint<Void>.post("a", body: .json(["a": 1])))
        let received = try #require(server.requests.first).fields
        let shown = try #require(messages.withLock { $0.first })
        // All but what only the engine can know, such as its kind of connection.
        for field in received where ![.connection, .expect].contains(field.name) && !field.name.isSensitive {
            #expect(shown.contains("\n    \(field.name): \(field.value)"), "\(shown)")
        }
        #expect(shown.contains("\n    Host: ") && shown.contains("\n    Content-Length: 7"))
        await server.stop()
    }

    @Test("B5 a download that is excluded from backups arrives like any other")
    func backup() async throws {
        let server = try await MockServer { route in route.get("/a").reply(.text("ok")) }
        let folder = TemporaryFolder()
        let api = APIClient(baseURL: server.url)
        let download = api.download(Endpoint<Void>.get("a"), to: folder.url.appending(path: "a")) {
            $0.isExcludedFromBackup = true
        }
        let file = try await download.file
        #expect(try Data(contentsOf: file) == Data("ok".utf8))
        #if canImport(Darwin)
        #expect(try file.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup == true)
        #endif
        await server.stop()
    }
}
