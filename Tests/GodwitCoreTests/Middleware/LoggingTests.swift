import GodwitCore
import GodwitTesting
import Testing

@Suite("M2 logging", .timeLimit(.minutes(15)))
struct LoggingTests {
    private let messages = Collected<String>()

    private func options(_ level: LogLevel, change: (inout LogOptions) -> Void = { _ in }) -> LogOptions {
        var options = LogOptions(level: level)
        let messages = messages
        options.destination = { messages.append($0) }
        options.clock = TestClock()
        change(&options)
        return options
    }

    /// The messages of one call, without its number.
    private func log(
        _ level: LogLevel, _ transport: ScriptedTransport, _ request: HTTPRequest,
        change: (inout LogOptions) -> Void = { _ in }
    ) async throws -> [String] {
        _ = try? await Chain([Logging(options(level, change: change))], over: transport).send(request)
        return messages.values.map { message in
            guard let mark = message.firstIndex(of: "#") else { return message }
            return String(message[..<mark] + message[mark...].drop { $0 != " " }.dropFirst())
        }
    }

    private func request(
        _ method: HTTPMethod = .get, _ fields: HTTPFields = [:], body: HTTPBody? = nil
    ) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try HTTPURL("https://a.com/1?q=x&api_key=s3cret"), fields: fields, body: body)
    }

    @Test("M2 logging is off by default")
    func off() async throws {
        let messages = messages
        let api = articles(ScriptedTransport()) { $0.logging.destination = { messages.append($0) } }
        try await api.send(Endpoint<Void>.get("a"))
        #expect(messages.values.isEmpty)
        #expect(LogOptions().level == .off)
    }

    @Test("M2 basic: one line for the request, one for the outcome, no query secrets")
    func basic() async throws {
        let lines = try await log(.basic, ScriptedTransport(200, "hello"), request())
        #expect(
            lines == [
                "--> GET https://a.com/1?q=x&api_key=<redacted>",
                "<-- 200 GET https://a.com/1?q=x&api_key=<redacted> (0 ms, 5 bytes)",
            ])
    }

    @Test("M2 the time is measured with the clock")
    func time() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { request throws(NetworkError) in
            clock.advance(by: .milliseconds(42))
            return .reply(to: request)
        }
        let lines = try await log(.basic, transport, request()) { $0.clock = clock }
        #expect(lines.last?.hasSuffix("(42 ms, 0 bytes)") == true)
    }

    @Test("M2 a failure is logged as one line with the reason")
    func failure() async throws {
        let transport = ScriptedTransport { request throws(NetworkError) in
            throw NetworkError(.timedOut(.connect), phase: .connecting, request: request)
        }
        let lines = try await log(.basic, transport, request())
        #expect(
            lines.last == "<-- failed: timed out while connecting: GET https://a.com/1?q=x&api_key=<redacted> (0 ms)")
    }

    @Test("M2 headers: header fields are shown, but secrets are redacted")
    func headers() async throws {
        let fields: HTTPFields = [
            .accept: "*/*", .authorization: "Bearer s3cret", .cookie: "a=s3cret", "X-Tenant": "s3cret",
            .referer: "https://b.com/?code=s3cret&p=1",
        ]
        let transport = ScriptedTransport(
            302, "", [.setCookie: "a=s3cret", .location: "/2?token=s3cret&p=1", .etag: "e"])
        let lines = try await log(.headers, transport, request(.get, fields)) { $0.redactedFields = ["x-tenant"] }
        #expect(
            lines.first == """
                --> GET https://a.com/1?q=x&api_key=<redacted>
                    Accept: */*
                    Authorization: <redacted>
                    Cookie: <redacted>
                    X-Tenant: <redacted>
                    Referer: https://b.com/?code=<redacted>&p=1
                """)
        #expect(
            lines.last == """
                <-- 302 GET https://a.com/1?q=x&api_key=<redacted> (0 ms, 0 bytes)
                    Set-Cookie: <redacted>
                    Location: /2?token=<redacted>&p=1
                    ETag: e
                """)
    }

    @Test(
        "M2 bodies: text is shown without secrets; other bodies are only described",
        arguments: [
            ("application/json", #"{"password":"s3cret","a":1}"#, "{\n  \"password\": \"<redacted>\",\n  \"a\": 1\n}"),
            ("application/problem+json; charset=utf-8", #"{"tenant":"s3cret"}"#, "{\n  \"tenant\": \"<redacted>\"\n}"),
            ("application/x-www-form-urlencoded", "user=ann&password=s3cret", "user=ann&password=<redacted>"),
            ("text/plain", "hello", "hello"), ("image/png", "pixels", "(6 bytes of image/png)"),
            ("", "data", "data"), ("", "\u{1}data", "(5 bytes of no known type)"),
            ("", #"{"password":"s3cret"}"#, "{\n  \"password\": \"<redacted>\"\n}"),
            ("text/plain", #" [{"token":"s3cret"}]"#, "[\n  {\n    \"token\": \"<redacted>\"\n  }\n]"),
            ("application/javascript", "let a", "let a"), ("application/atom+xml", "<a/>", "<a/>"),
            ("application/octet-stream", "data", "(4 bytes of application/octet-stream)"),
            ("application/x-ndjson", "{\"a\":1}\n{\"token\":2}", "{\"a\":1}\n{\"token\":\"<redacted>\"}"),
        ])
    func bodies(type: String, body: String, shown: String) async throws {
        let fields: HTTPFields = type.isEmpty ? [:] : [.contentType: type]
        let lines = try await log(
            .bodies, ScriptedTransport(200, body, fields), request(.post, fields, body: .bytes(Data(body.utf8)))
        ) { $0.redactedNames = ["Tenant"] }
        #expect(lines.count == 2)
        for line in lines { #expect(line.hasSuffix("\n\n\(shown)")) }
    }

    @Test(
        "M2 tokens in a URL in a field are redacted, also in its fragment",
        arguments: [
            ("/cb#access_token=s3cret&state=1", "/cb#access_token=<redacted>&state=1"),
            ("/cb?a=b#id_token=s3cret", "/cb?a=b#id_token=<redacted>"), ("/plain", "/plain"), ("#top", "#top"),
        ])
    func fragments(location: String, shown: String) async throws {
        let lines = try await log(.headers, ScriptedTransport(302, "", [.location: location]), request())
        #expect(lines.last?.hasSuffix("\n    Location: \(shown)") == true)
    }

    @Test("M2 tokens in links are redacted")
    func links() async throws {
        let value = "</a?page=2>; rel=next, </a?page=9&access_token=s3cret>; rel=last, </b?token=s3cret>; rel=up"
        let lines = try await log(.headers, ScriptedTransport(200, "", [.link: value]), request())
        #expect(lines.last?.contains("</a?page=2>; rel=next") == true)
        #expect(lines.last?.contains("s3cret") == false)
    }

    @Test("M2 the body limit can be the maximum integer")
    func unlimited() async throws {
        let transport = ScriptedTransport(200, "abcdefgh", [.contentType: "text/plain"])
        #expect(try await log(.bodies, transport, request()) { $0.bodyLimit = .max }.last?.hasSuffix("fgh") == true)
    }

    @Test("M2 bodies are truncated at the limit")
    func bodyLimit() async throws {
        let transport = ScriptedTransport(200, "abcdefgh", [.contentType: "text/plain"])
        #expect(try await log(.bodies, transport, request()) { $0.bodyLimit = 3 }.last?.hasSuffix("\n\nabc…") == true)
    }

    @Test("M2 a streamed body is described, but not read")
    func streamed() async throws {
        let arriving = ArrivingBody()
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: .init(status: .ok), body: arriving.take(), request: request)
        }
        let chain = Chain([Logging(options(.bodies))], over: transport)
        let response = try await chain.send(request())
        arriving.send("later")
        arriving.finish()
        #expect(try await response.body.text() == "later")
        #expect(messages.values.last?.hasSuffix("\n\n(streamed)") == true)
    }

    @Test("M2 a client logs a call once, with the response that the caller gets")
    func once() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "/2") }, { .reply(to: $0, 200, "{}") }])
        let options = options(.basic)
        try await articles(transport) { $0.logging = options }.send(Endpoint<Void>.get("a"))
        #expect(messages.values.count == 2)
        #expect(messages.values.last?.contains("200 GET https://api.example.com/2") == true)
        #expect(messages.values.last?.hasSuffix("after 1 redirects") == true)
    }
}
