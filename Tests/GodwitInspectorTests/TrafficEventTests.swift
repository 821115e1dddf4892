@testable import GodwitCore
import Godwit
import GodwitTesting
import Synchronization
import Testing

@Suite("G4 Traffic events", .timeLimit(.minutes(15)))
struct TrafficEventTests {
    /// The events of one client, in order.
    private final class Log: Sendable {
        private let events = Mutex<[TrafficEvent]>([])

        var all: [TrafficEvent] { events.withLock(\.self) }
        var json: String {
            all.map { (try? JSONEncoder().encode($0)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
                .joined(separator: "\n")
        }
        var inspector: Inspector { .events { event in self.events.withLock { $0.append(event) } } }
    }

    private struct Title: Decodable { let title: String }

    @Test("G4 a call is reported as started, sent, answered and finished, with the fields that the transport adds")
    func order() async throws {
        let server = try await MockServer { $0.post("/notes").reply(json: ["id": 1], status: .created) }
        let log = Log()
        let api = APIClient(baseURL: server.url) { $0.inspector = log.inspector }
        try await api.send(Endpoint<Void>.post("notes", body: .json(["title": "Neap"])))
        let events = log.all
        #expect(events.count == 4 && Set(events.map(\.call)).count == 1)
        #expect(events[0].started?.method == "POST" && events[0].started?.body?.text == #"{"title":"Neap"}"#)
        let sent = try #require(events[1].sent)
        #expect(sent.fields.contains { $0.first == "Host" } && sent.exchange != nil)
        let answer = try #require(events[2].answered)
        #expect(answer.status == 201 && answer.body?.text == #"{"id":1}"# && answer.metrics.total != nil)
        #expect(events[3].finished?.source == "network" && events[3].finished?.status == 201)
        await server.stop()
    }

    @Test("G4 no event has the secrets of fields, query, form and JSON")
    func secrets() async throws {
        let server = try await MockServer { route in
            route.post("/login").reply(json: ["access_token": "s3cret-5", "name": "Ann"])
        }
        let log = Log()
        let api = APIClient(baseURL: server.url) {
            $0.inspector = log.inspector
            $0.inspector?.redactedFields = ["X-Own"]
            $0.defaultFields = [.authorization: "Bearer s3cret-1", "X-Own": "s3cret-2"]
        }
        try await api.send(
            Endpoint<Void>.post("login", query: ["token": "s3cret-3"], body: .form(["password": "s3cret-4", "a": "b"])))
        #expect(!log.json.contains("s3cret") && log.json.contains("<redacted>") && log.json.contains("Ann"))
        await server.stop()
    }

    @Test("G4 retries and redirects are requests of one call")
    func attempts() async throws {
        let server = try await MockServer { route in
            route.get("/old").reply(.redirect(to: "/new"))
            route.get("/new").replies([.status(503), .text("tide")])
        }
        let log = Log()
        let api = APIClient(baseURL: server.url) {
            $0.inspector = log.inspector
            $0.clock = ImmediateClock()
        }
        _ = try await api.send(Endpoint<Data>.get("old"))
        let statuses = log.all.compactMap { $0.answered?.status }
        #expect(statuses == [302, 503, 302, 200] || statuses == [302, 503, 200])
        #expect(log.all.last?.finished?.redirects == 1 && log.all.last?.finished?.attempts == 2)
        await server.stop()
    }

    @Test("G4 failures have Godwit's explanation: of the transport, of a status, and of decoding")
    func failures() async throws {
        let server = try await MockServer { route in
            route.get("/close").reply(.close)
            route.get("/missing").reply(json: ["title": "No such tide"], status: .notFound)
            route.get("/wrong").reply(json: ["name": 1])
        }
        let log = Log()
        let api = APIClient(baseURL: server.url) {
            $0.inspector = log.inspector
            $0.retry.maximumAttempts = 1
        }
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.get("close")) }
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.get("missing")) }
        await #expect(throws: NetworkError.self) { _ = try await api.send(Endpoint<Title>.get("wrong")) }
        let failures = log.all.compactMap(\.failed).filter { $0.exchange == nil }
        #expect(failures.map(\.kind) == ["transport.connection_lost", "not_found", "decoding"])
        #expect(failures.allSatisfy { $0.error.contains("GET http://127.0.0.1") })
        #expect(failures.dropFirst().map(\.phase) == ["validating", "decoding"])
        await server.stop()
    }

    @Test("G4 a response from the cache and a shared one are marked")
    func sources() async throws {
        let server = try await MockServer { route in
            route.get("/tide").reply(.text("ebb").field(.cacheControl, "max-age=60"))
        }
        let log = Log()
        let api = APIClient(baseURL: server.url) {
            $0.inspector = log.inspector
            $0.cache = .memory(limit: 1 << 20)
        }
        for _ in 0..<2 { _ = try await api.send(Endpoint<Data>.get("tide")) }
        #expect(log.all.compactMap { $0.finished?.source } == ["network", "cache"])
        #expect(log.all.last?.finished?.body?.text == "ebb")
        await server.stop()
    }

    @Test("G4 a streamed body is reported line by line, and a secret that two chunks share stays hidden")
    func stream() async throws {
        let texts = [#"{"n":1}"# + "\n" + #"{"access_to"#, #"ken":"s3cret"}"# + "\n", #"{"n":3}"#]
        let chunks = texts.map { Data($0.utf8) }
        let server = try await MockServer { route in
            route.get("/lines").reply(MockResponse.chunks(chunks, every: .zero, contentType: "application/x-ndjson"))
        }
        let log = Log()
        let api = APIClient(baseURL: server.url) { $0.inspector = log.inspector }
        var lines = 0
        for try await _ in api.stream(Endpoint<Void>.get("lines")).lines { lines += 1 }
        let text = log.all.compactMap { $0.chunk?.text }.joined()
        #expect(lines == 3 && text == "{\"n\":1}\n{\"access_token\":\"<redacted>\"}\n{\"n\":3}")
        let end = try #require(log.all.compactMap(\.ended).first)
        #expect(end.size == Int64(chunks.joined().count) && end.error == nil && end.metrics?.total != nil)
        await server.stop()
    }

    @Test("G4 a stream that the reader leaves is reported as ended once")
    func abandoned() async throws {
        let server = try await MockServer { $0.get("/endless").reply(.endlessChunks(every: .milliseconds(1))) }
        let log = Log()
        let api = APIClient(baseURL: server.url) { $0.inspector = log.inspector }
        do {
            let response = try await api.send(
                HTTPRequest(url: HTTPURL("\(server.url.absoluteString)endless"), delivery: .streamed))
            for try await _ in response.body { break }
        }
        #expect(log.all.compactMap(\.ended).count == 1)
        await server.stop()
    }

    @Test("G4 WebSocket messages are reported one by one, in both directions")
    func socket() async throws {
        let server = try await MockServer { route in
            route.webSocket("/echo") { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
        let log = Log()
        let api = APIClient(baseURL: server.url) { $0.inspector = log.inspector }
        let socket = try await api.webSocket("echo")
        try await socket.send(#"{"password":"s3cret"}"#)
        _ = try await socket.receive()
        try await socket.send(Data([0, 255]))
        _ = try await socket.receive()
        await socket.close()
        let messages = log.all.compactMap(\.message)
        #expect(messages.filter(\.isSent).map(\.size) == [21, 2])
        #expect(messages.filter { !$0.isSent }.map(\.size) == [21, 2])
        #expect(messages.first { $0.isSent }?.text == #"{"password":"<redacted>"}"# && messages.last?.base64 == "AP8=")
        await server.stop()
    }

    @Test("G4 GODWIT_INSPECT turns the inspector on only if the configuration allows it and has none")
    func environment() {
        var configuration = ClientConfiguration()
        configuration.allowsInspectorFromEnvironment = true
        #expect(configuration.inspectedIfRequested(by: "1").inspector != nil)
        #expect(configuration.inspectedIfRequested(by: "0").inspector == nil)
        #expect(configuration.inspectedIfRequested(by: nil).inspector == nil)
        configuration.allowsInspectorFromEnvironment = false
        #expect(configuration.inspectedIfRequested(by: "1").inspector == nil)
    }

    @Test("G4 events go only to loopback addresses with a token")
    func addresses() {
        #expect(PageAddress("http://127.0.0.1:8642/abcdefghijklmnopqrst/")?.port == 8642)
        #expect(PageAddress("http://[::1]:8642/abcdefghijklmnopqrst")?.path == "/abcdefghijklmnopqrst/")
        for url in [
            "http://10.0.0.1:80/abcdefghijklmnopqrst/", "https://127.0.0.1/abcdefghijklmnopqrst/",
            "http://127.0.0.1:8642/", "http://localhost.example.com/abcdefghijklmnopqrst/", "nonsense",
        ] {
            #expect(PageAddress(url) == nil)
        }
    }
}
