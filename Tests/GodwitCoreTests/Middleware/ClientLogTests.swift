import GodwitCore
import GodwitTesting
import Testing

@Suite("M2 the log of a client", .timeLimit(.minutes(15)))
struct ClientLogTests {
    /// Adds fields to requests as an engine does.
    private struct Engine: HTTPTransport {
        let answers: ScriptedTransport

        func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
            try await answers.send(request)
        }

        func addedFields(for request: HTTPRequest) -> HTTPFields {
            [.acceptEncoding: "gzip", .host: request.url.host]
        }
    }

    private let messages = Collected<String>()

    private func client(
        _ answers: ScriptedTransport, _ level: LogLevel = .headers,
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: Engine(answers: answers)) {
            let messages = messages
            $0.logging.level = level
            $0.logging.clock = TestClock()
            $0.logging.destination = { messages.append($0) }
            $0.userAgent = "test"
            $0.requestIDs = .off
            $0.retry.backoff = Backoff(base: .zero)
            configure(&$0)
        }
    }

    /// The messages, with the number of the first call as 7.
    private var log: [String] {
        guard let first = messages.values.first, let mark = first.firstIndex(of: "#") else { return messages.values }
        let number = first[mark...].prefix { $0 == "#" || $0.isNumber }
        return messages.values.map { $0.replacing(number, with: "#7", maxReplacements: 1) }
    }

    @Test("M2 headers: a request is shown as sent, including fields added by middlewares and the engine")
    func sent() async throws {
        let api = client(ScriptedTransport(200, "{}", [.contentType: "application/json"])) {
            $0.authentication = .credential(.apiKey("s3cret", field: "X-Key"))
            $0.defaultFields[.acceptLanguage] = "de"
            $0.cookies = .jar(CookieJar())
            $0.middleware.append(DefaultFields(["X-Call": "1"]))
            $0.attemptMiddleware.append(DefaultFields(["X-Attempt": "1"]))
        }
        try api.cookieJar?.store("a=s3cret", from: HTTPURL("https://api.example.com/"))
        try await api.send(Endpoint<Void>.post("a", body: .json(["b": 1])))
        #expect(
            log == [
                """
                --> #7 POST https://api.example.com/a
                    Host: api.example.com
                    Accept: */*
                    Content-Type: application/json
                    X-Call: 1
                    Accept-Language: de
                    User-Agent: test
                    X-Key: <redacted>
                    Cookie: <redacted>
                    X-Attempt: 1
                    Accept-Encoding: gzip
                """,
                """
                <-- #7 200 POST https://api.example.com/a (0 ms, 2 bytes)
                    Content-Type: application/json
                """,
            ])
    }

    @Test("M2 headers: retries and redirects are shown as sent, and one line summarizes the call")
    func attempts() async throws {
        let answers = ScriptedTransport([
            { .reply(to: $0, 503) }, { .redirect(of: $0, to: "/b") }, { .reply(to: $0, 200, "ok") },
        ])
        try await client(answers).send(Endpoint<Void>.get("a"))
        let lines = log.map { $0.prefix { $0 != "\n" } }
        #expect(
            lines == [
                "--> #7 GET https://api.example.com/a", "<-- #7 503 GET https://api.example.com/a (0 ms, 0 bytes)",
                "--> #7.2 GET https://api.example.com/a",
                "<-- #7.2 302 GET https://api.example.com/a (0 ms, 5 bytes)",
                "--> #7.3 GET https://api.example.com/b", "<-- #7.3 200 GET https://api.example.com/b (0 ms, 2 bytes)",
                "<-- #7 200 GET https://api.example.com/b (0 ms, 2 bytes, 3 requests) after 1 redirects",
            ])
    }

    @Test("M2 headers: a failed request is one line, and so is a call rejected before a request")
    func failures() async throws {
        let answers = ScriptedTransport { request throws(NetworkError) in
            throw NetworkError(.timedOut(.connect), phase: .connecting, request: request)
        }
        let api = client(answers) { $0.retry.maximumAttempts = 1 }
        _ = await failure { () throws(NetworkError) in try await api.send(Endpoint<Void>.get("a")) }
        #expect(log.count == 2)
        #expect(log.last == "<-- #7 failed: timed out while connecting: GET https://api.example.com/a (0 ms)")

        let plain = HTTPRequest(url: try HTTPURL("http://plain.example/?token=s3cret"))
        _ = await failure { () throws(NetworkError) in try await api.send(plain) }
        #expect(log.count == 3)
        #expect(log.last?.contains("failed: ") == true && log.last?.contains("s3cret") == false)
    }

    @Test("M2 headers: a cached response is marked as such")
    func cached() async throws {
        let api = client(ScriptedTransport(200, "ok", [.cacheControl: "max-age=60"])) {
            $0.cache = .memory(limit: 1 << 20)
        }
        for _ in 0..<2 { try await api.send(Endpoint<Void>.get("a")) }
        #expect(log.count == 3)
        #expect(log.last?.hasPrefix("<-- #") == true)
        #expect(log.last?.contains("(0 ms, 2 bytes, from the cache)\n    Cache-Control: max-age=60") == true)
    }

    @Test("M2 bodies: a compressed request body is shown uncompressed")
    func compressed() async throws {
        let text = String(repeating: "a", count: 3000)
        let api = client(ScriptedTransport(), .bodies) { $0.compression = .gzip }
        try await api.send(Endpoint<Void>.post("a", body: .json(["b": text])))
        #expect(log.first?.contains("Content-Encoding: gzip") == true)
        #expect(log.first?.contains("{\n  \"b\": \"aaa") == true)
    }

    @Test("M2 deeply nested and truncated JSON stays within bounds")
    func nested() async throws {
        let deep = String(repeating: "[", count: 100_000)
        let answers = ScriptedTransport(200, deep, [.contentType: "application/json"])
        try await client(answers, .bodies).send(Endpoint<Void>.get("a"))
        let shown = try #require(log.last)
        #expect(shown.utf8.count < 4096 * 64 && shown.hasSuffix("…"))
    }

    @Test(
        "M2 JSON keeps its order, numbers and strings",
        arguments: [
            (
                #"{"b":1.0e3,"a":[],"c":{ },"d":"x, y: {\"z\"}"}"#,
                "{\n  \"b\": 1.0e3,\n  \"a\": [],\n  \"c\": {},\n  \"d\": \"x, y: {\\\"z\\\"}\"\n}"
            ),
            ("{ not  json }", "{\n  not json\n}"), ("no json", "no json"), ("[1,2", "[\n  1,\n  2"),
        ])
    func layout(json: String, shown: String) async throws {
        let answers = ScriptedTransport(200, json, [.contentType: "application/json"])
        try await client(answers, .bodies).send(Endpoint<Void>.get("a"))
        #expect(log.last?.hasSuffix("\n\n\(shown)") == true)
    }

    @Test("M3 an archive contains the fields that the engine adds")
    func archive() async throws {
        let recorder = HARRecorder()
        let api = client(ScriptedTransport()) { $0.recorder = recorder }
        try await api.send(Endpoint<Void>.get("a"))
        let text = String(decoding: try recorder.data(), as: UTF8.self)
        for name in ["Host", "Accept-Encoding", "User-Agent"] { #expect(text.contains("\"\(name)\"")) }
    }
}
