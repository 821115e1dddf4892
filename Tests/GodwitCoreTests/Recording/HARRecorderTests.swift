import GodwitCore
import GodwitTesting
import Testing

@Suite("M3 HAR 1.2", .timeLimit(.minutes(15)))
struct HARRecorderTests {
    private func recorder(_ change: (inout HAROptions) -> Void = { _ in }) -> HARRecorder {
        var options = HAROptions()
        options.now = { Date(timeIntervalSince1970: 1_700_000_000.5) }
        options.clock = TestClock()
        change(&options)
        return HARRecorder(options: options)
    }

    private func request(_ method: HTTPMethod = .get, _ fields: HTTPFields = [:], body: HTTPBody? = nil) throws
        -> HTTPRequest
    {
        HTTPRequest(
            method: method, url: try HTTPURL("https://a.com/1?q=a%20b&api_key=s3cret&flag"), fields: fields, body: body)
    }

    private func entries(_ recorder: HARRecorder) throws -> [Archive.Entry] {
        try JSONDecoder().decode(Archive.self, from: recorder.data()).log.entries
    }

    @Test("M3 an archive has all required members")
    func members() async throws {
        let recorder = recorder { $0.bodyLimit = 100 }
        let transport = ScriptedTransport(
            302, #"{"a":1}"#,
            [.contentType: "application/json", .setCookie: "s=x; Path=/; Secure", .location: "/2?token=s3cret"])
        _ = try await Chain([recorder], over: transport).send(
            request(.post, [.contentType: "text/plain", .cookie: "a=1; b=2"], body: "hello"))
        let archive = try JSONDecoder().decode(Archive.self, from: recorder.data())
        #expect(archive.log.version == "1.2" && archive.log.creator.name == "Godwit")
        let entry = try #require(archive.log.entries.first)
        #expect(entry.startedDateTime == "2023-11-14T22:13:20.500Z")
        #expect(entry.request.method == "POST" && entry.request.bodySize == 5 && entry.request.headersSize == -1)
        #expect(entry.request.url == "https://a.com/1?q=a%20b&api_key=<redacted>&flag")
        #expect(entry.request.queryString.map(\.name) == ["q", "api_key", "flag"])
        #expect(entry.request.queryString.map(\.value) == ["a b", "<redacted>", ""])
        #expect(entry.request.cookies.map(\.name) == ["a", "b"])
        #expect(entry.request.postData?.text == "hello" && entry.request.postData?.mimeType == "text/plain")
        #expect(entry.response.status == 302 && entry.response.redirectURL == "/2?token=<redacted>")
        #expect(entry.response.cookies.first?.name == "s" && entry.response.cookies.first?.secure == true)
        #expect(entry.response.content.text == #"{"a":1}"# && entry.response.content.size == 7)
        #expect(entry.timings.dns == -1 && entry.timings.connect == -1 && entry.timings.ssl == -1)
    }

    @Test("M3 by default, sizes are recorded, and no bodies")
    func sizes() async throws {
        let recorder = recorder()
        _ = try await Chain([recorder], over: ScriptedTransport(200, "hello")).send(request(.put, body: "abc"))
        let entry = try #require(entries(recorder).first)
        #expect(entry.response.content.size == 5 && entry.response.content.text == nil)
        #expect(entry.request.bodySize == 3 && entry.request.postData?.text == "")
    }

    @Test(
        "M3 a body is recorded as text or base64, and truncated at the limit",
        arguments: [
            (Data("hello".utf8), "text/plain", "hello", nil), (Data([0xFF, 0, 1]), "image/png", "/wAB", "base64"),
            (Data("password=x&a=1".utf8), "application/x-www-form-urlencoded", "password=<redacted>&a=1", nil),
            (Data(#"{"token":"x"}"#.utf8), "application/json", #"{"token":"<redacted>"}"#, nil),
            (Data(repeating: 0x61, count: 30), "text/plain", String(repeating: "a", count: 20), nil),
        ] as [(Data, String, String, String?)])
    func content(body: Data, type: String, text: String, encoding: String?) async throws {
        let recorder = recorder { $0.bodyLimit = 20 }
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(
                head: HTTPResponseHead(status: .ok, fields: [.contentType: type]), body: .bytes(body), request: request)
        }
        _ = try await Chain([recorder], over: transport).send(request())
        let content = try #require(entries(recorder).first?.response.content)
        #expect(content.text == text && content.encoding == encoding)
        #expect(content.size == body.count)
        #expect((content.comment != nil) == (body.count > 20))
    }

    @Test("M3 a streamed body is neither consumed nor delayed; as much as was read is recorded at its end")
    func streamed() async throws {
        let recorder = recorder { $0.bodyLimit = 100 }
        let arriving = ArrivingBody()
        let events = Collected<@Sendable (TransferEvent) -> Void>()
        let transport = ScriptedTransport { request throws(NetworkError) in
            if let onEvent = request.options.onEvent { events.append(onEvent) }
            return HTTPResponse(head: .init(status: .ok), body: arriving.take(), request: request)
        }
        let response = try await Chain([recorder], over: transport).send(request())
        #expect(try entries(recorder).first?.response.content.size == -1)
        arriving.send("later")
        arriving.finish()
        #expect(try await response.body.text() == "later")
        let tell = try #require(events.values.first)
        tell(.received(5, total: nil))
        tell(.finished(Self.metrics))
        let entry = try #require(entries(recorder).first)
        #expect(entry.response.content.size == 5 && entry.response.bodySize == 40)
        #expect(entry.response.content.text == "later" && entry.response.content.comment == nil)
        #expect(entry.response.httpVersion == "HTTP/2" && entry.serverIPAddress == "::1")
        #expect(entry.connection == "50000")
    }

    @Test(
        "M3 a long streamed body is cut off, one that was dropped says so, and neither shows a secret",
        arguments: [
            (#"{"a":1,"password":"abcdefghijklmnop"}"#, true, "cut off after 20 bytes"),
            (#"{"password":"abc"#, false, "not read to its end"),
        ])
    func partial(text: String, ends: Bool, comment: String) async throws {
        let recorder = recorder { $0.bodyLimit = 20 }
        let arriving = ArrivingBody()
        var response: HTTPResponse? = try await Chain(
            [recorder],
            over: ScriptedTransport { request in
                HTTPResponse(
                    head: .init(status: .ok, fields: [.contentType: "application/json"]), body: arriving.take(),
                    request: request)
            }
        ).send(request())
        arriving.send(text)
        if ends { arriving.finish() }
        for try await _ in try #require(response).body where !ends { break }
        response = nil
        let content = try #require(entries(recorder).first?.response.content)
        #expect(content.comment == comment && content.size == text.utf8.count)
        #expect(content.text?.contains("password") == true && content.text?.contains("abc") == false)
    }

    private static var metrics: TransferMetrics {
        var metrics = TransferMetrics()
        metrics.dns = .milliseconds(10)
        metrics.connect = .milliseconds(30)
        metrics.tls = .milliseconds(60)
        metrics.requestSent = .milliseconds(61)
        metrics.firstByte = .milliseconds(161)
        metrics.total = .milliseconds(200)
        metrics.bytesReceived = 40
        metrics.protocolVersion = .http2
        metrics.remoteAddress = "[::1]:443"
        metrics.localPort = 50000
        return metrics
    }

    @Test("M3 times follow from the metrics, and add up to the entry's")
    func timings() async throws {
        let recorder = recorder()
        let transport = ScriptedTransport { request throws(NetworkError) in
            request.options.onEvent?(.finished(Self.metrics))
            var response = HTTPResponse.reply(to: request)
            response.metrics = Self.metrics
            return response
        }
        _ = try await Chain([recorder], over: transport).send(request())
        let entry = try #require(entries(recorder).first)
        #expect(entry.timings.dns == 10 && entry.timings.connect == 50 && entry.timings.ssl == 30)
        #expect(entry.timings.blocked == 1 && entry.timings.send == 0 && entry.timings.wait == 100)
        #expect(entry.timings.receive == 39 && entry.time == 200)
    }

    @Test("M3 a failure is an entry with the reason, without a response")
    func failed() async throws {
        let recorder = recorder()
        let transport = ScriptedTransport { request throws(NetworkError) in
            throw NetworkError(.timedOut(.connect), phase: .connecting, request: request)
        }
        _ = try? await Chain([recorder], over: transport).send(request())
        let entry = try #require(entries(recorder).first)
        #expect(entry.response.status == 0 && entry._error == "timed out while connecting")
    }

    @Test("M3 below redirects, entries are hops; above them, calls; the caller still gets its events")
    func places() async throws {
        let (above, below) = (recorder(), recorder())
        let seen = Collected<String>()
        let transport = ScriptedTransport { request throws(NetworkError) in
            request.options.onEvent?(.received(1, total: 1))
            return request.url.path == "/1" ? .redirect(of: request, to: "/2") : .reply(to: request)
        }
        var request = try request()
        request.options.onEvent = { _ in seen.append("event") }
        _ = try await Chain([above, Redirects(), below], over: transport).send(request)
        #expect(above.count == 1 && below.count == 2 && seen.values.count == 2)
        #expect(try entries(below).map(\.request.url.last) == ["g", "2"])
    }

    @Test("M3 the oldest entry is removed first, and all of them on request")
    func bounded() async throws {
        let recorder = recorder { $0.entryLimit = 3 }
        let chain = Chain([recorder], over: ScriptedTransport())
        for number in 1...5 { _ = try await chain.send(HTTPRequest(url: try HTTPURL("https://a.com/\(number)"))) }
        #expect(try entries(recorder).map(\.request.url.last) == ["3", "4", "5"])
        recorder.removeAll()
        #expect(try recorder.count == 0 && entries(recorder).isEmpty)
    }
}

/// The members of HAR 1.2 that are not optional, read strictly.
struct Archive: Decodable {
    struct Log: Decodable {
        let version: String
        let creator: Creator
        let entries: [Entry]
    }

    struct Creator: Decodable {
        let name: String
        let version: String
    }

    struct Entry: Decodable {
        let startedDateTime: String
        let time: Double
        let request: Request
        let response: Response
        let cache: [String: String]
        let timings: Timings
        let serverIPAddress: String?
        let connection: String?
        let _error: String?
    }

    struct Request: Decodable {
        let method, url, httpVersion: String
        let cookies, headers, queryString: [Pair]
        let postData: PostData?
        let headersSize, bodySize: Int
    }

    struct Response: Decodable {
        let status: Int
        let statusText, httpVersion, redirectURL: String
        let cookies, headers: [Pair]
        let content: Content
        let headersSize, bodySize: Int
    }

    struct Pair: Decodable {
        let name, value: String
        let secure: Bool?
    }

    struct PostData: Decodable {
        let mimeType, text: String
    }

    struct Content: Decodable {
        let size: Int
        let mimeType: String
        let text, encoding, comment: String?
    }

    struct Timings: Decodable {
        let blocked, dns, connect, send, wait, receive, ssl: Double
    }

    let log: Log
}
