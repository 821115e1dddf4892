#if Logging
import Godwit
import GodwitLogging
import GodwitTesting
import InMemoryLogging
import Logging
import Testing

/// What a logger of swift-log gets of a client's calls.
@Suite("Logs to swift-log", .timeLimit(.minutes(15)))
struct LoggerTests {
    private let log: InMemoryLogHandler
    private let logger: Logger

    init() {
        var log = InMemoryLogHandler()
        log.logLevel = .trace
        self.log = log
        logger = Logger(label: "test") { [log] _ in log }
    }

    private func client(
        _ mock: MockTransport, _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: "https://api.example.com/v1", transport: mock) {
            $0.middleware.append(LoggerMiddleware(logger, clock: ImmediateClock()))
            $0.clock = ImmediateClock()
            configure(&$0)
        }
    }

    @Test("I3 a call is one message, with method, URL, status, time and request ID in its metadata")
    func message() async throws {
        let mock = MockTransport { $0.get("/v1/articles/7").reply(.text("x")) }
        let response = try await client(mock).send(HTTPRequest(url: "https://api.example.com/v1/articles/7"))
        let entry = try #require(log.entries.first)
        #expect(log.entries.count == 1)
        #expect(entry.level == .info)
        #expect("\(entry.message)" == "200 GET https://api.example.com/v1/articles/7 (0 ms)")
        #expect(entry.metadata["http.request.method"] == "GET")
        #expect(entry.metadata["url.full"] == "https://api.example.com/v1/articles/7")
        #expect(entry.metadata["http.response.status_code"].map { "\($0)" } == "200")
        #expect(entry.metadata["duration_ms"] == "0")
        let id = try #require(mock.requests[0].fields[.requestID])
        #expect(entry.metadata["request_id"] == .string(id))
        #expect(response.request.fields[.requestID] == id)
        #expect(entry.metadata["error.type"] == nil)
    }

    @Test("I3 a failed call and an unaccepted status are at the level of failures, a canceled call is not")
    func failures() async throws {
        let mock = MockTransport {
            $0.get("/v1/gone").reply(.status(410))
            $0.get("/v1/dead").fail(.transport(.connectionLost("gone")))
            $0.get("/v1/slow").reply(.hang)
        }
        let api = client(mock) { $0.retry.maximumAttempts = 2 }
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Data>.get("gone")) }
        _ = try await api.send(Endpoint<Data>.get("gone").accepting(.gone))
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Data>.get("dead")) }
        let canceled = Task { try await api.send(Endpoint<Data>.get("slow")) }
        _ = try await mock.waitForRequests(count: 5)
        canceled.cancel()
        _ = await canceled.result
        #expect(log.entries.map(\.level) == [.error, .info, .error, .info])
        #expect(
            log.entries.map { $0.metadata["error.type"].map { "\($0)" } } == [
                "410", nil, "transport.connection_lost", "cancelled",
            ])
        #expect(log.entries.map { $0.metadata["http.request.resend_count"].map { "\($0)" } } == [nil, nil, "1", nil])
    }

    @Test("I3 no credential, query secret or field value reaches the logger, at any level")
    func secrets() async throws {
        let secret = "s3cr3t-0f-the-call"
        let mock = MockTransport {
            $0.get("/v1/articles").reply(.text(secret).field(.setCookie, "session=\(secret)"))
            $0.get("/v1/broken").fail(.invalidResponse(reason: "token \(secret)"))
        }
        let api = client(mock) {
            $0.authentication = .credential(.bearer(secret))
            $0.logging = LogOptions(to: logger, level: .headers, at: .trace)
        }
        _ = try await api.send(HTTPRequest(url: "https://api.example.com/v1/articles?access_token=\(secret)"))
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Data>.get("broken")) }
        #expect(log.entries.count > 2)
        for entry in log.entries {
            #expect(!"\(entry.message)".contains(secret))
            for (name, value) in entry.metadata { #expect(!"\(value)".contains(secret), "\(name)") }
        }
    }

    @Test("I3 Godwit's own log goes to the logger at the level that it was given, and costs nothing if that is off")
    func detail() async throws {
        let mock = MockTransport { $0.get("/v1/a").reply(.text("x")) }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock) {
            $0.logging = LogOptions(to: logger, level: .headers)
        }
        _ = try await api.send(Endpoint<Data>.get("a"))
        #expect(log.entries.map(\.level) == [.debug, .debug])
        #expect("\(log.entries[0].message)".contains("GET https://api.example.com/v1/a"))
        var quiet = logger
        quiet.logLevel = .error
        #expect(LogOptions(to: quiet, level: .bodies).level == .off)
    }
}
#endif
