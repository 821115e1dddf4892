import GodwitCore
import GodwitTesting
import GodwitURLSession
import TestSupport
import Testing

// Nothing here cancels an exchange that is about to end by itself: on Linux, that is URLSession's weak spot.
@Suite("URLSessionTransport", .timeLimit(.minutes(15)))
struct URLSessionTransportTests {
    @Test("C6 URLSession offers no compression dictionary, which it couldn't decode with")
    func dictionary() async throws {
        let transport = try URLSessionTransport { _ in }
        var request = HTTPRequest(url: try HTTPURL("https://example.com/"))
        request.dictionary = CompressionDictionary(content: Data("a".utf8), digest: [1], id: "1", wasRefused: {})
        let added = transport.addedFields(for: request)
        #expect(!added.contains(.availableDictionary) && !added.contains(.dictionaryID))
        await transport.shutdown(.cancelling)
    }

    @Test("T3 a GET has status, fields and body")
    func get() async throws {
        let server = try await MockServer { $0.get("/a").reply(.text("hello", status: .created).field("X-One", "1")) }
        let response = try await URLSessionTransport().send(HTTPRequest(url: server.at("/a?b=c%20d")))
        #expect(response.head.status == .created)
        #expect(response.head.fields["x-one"] == "1")
        #expect(try await text(of: response) == "hello")
        #expect(response.metrics.bytesReceived == 5)
        #expect(server.requests.map(\.target) == ["/a?b=c%20d"])
    }

    @Test("T3 bytes are posted, and their progress is reported")
    func post() async throws {
        let server = try await MockServer { .text($0.text) }
        let events = Watched<[TransferEvent]>([])
        var request = HTTPRequest(method: .post, url: server.url, body: "some content")
        request.fields[.contentType] = "text/plain"
        request.options.onEvent = { event in events.update { $0.append(event) } }
        let response = try await URLSessionTransport().send(request)
        #expect(try await text(of: response) == "some content")
        #expect(server.requests.first?.fields[.contentLength] == "12")
        #expect(server.requests.first?.fields[.contentType] == "text/plain")
        #expect(events.value.contains { if case .sent(12, total: 12) = $0 { true } else { false } })
        #expect(events.value.contains { if case .received(12, total: 12) = $0 { true } else { false } })
        guard case .finished(let metrics) = events.value.last else { return #expect(Bool(false), "no end was told") }
        #expect(metrics.bytesSent == 12)
    }

    @Test("T3 a file is uploaded with its length")
    func uploadFile() async throws {
        let folder = TemporaryFolder()
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let file = try folder.file("a.bin", data)
        let server = try await MockServer { _ in .status(204) }
        let request = HTTPRequest(method: .put, url: server.url, body: .file(at: file))
        #expect(try await URLSessionTransport().send(request).head.status == .noContent)
        #expect(server.requests.first?.body == data)
        #expect(server.requests.first?.fields[.contentLength] == "300000")
    }

    @Test("T3 a stream is uploaded, and leaves no temporary file")
    func uploadStream() async throws {
        let server = try await MockServer { .text($0.text) }
        let mark = UUID().uuidString
        let body = HTTPBody.stream {
            AsyncStream<Data> { stream in
                for text in ["one ", "two ", mark] { stream.yield(Data(text.utf8)) }
                stream.finish()
            }
        }
        let response = try await URLSessionTransport().send(HTTPRequest(method: .post, url: server.url, body: body))
        #expect(try await text(of: response) == "one two \(mark)")
        #expect(try !keepsUpload(of: "one two \(mark)"))
    }

    @Test("T3 a stream of another length than it declared is not sent")
    func wrongLength() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let body = HTTPBody.stream(once: AsyncStream { $0.finish() } as AsyncStream<Data>, length: 3)
        let error = await failure(of: HTTPRequest(method: .post, url: server.url, body: body))
        #expect(error?.kind == .transport(.cannotSendBody("the stream gave 0 of the 3 bytes it declared")))
        #expect(server.requestCount == 0)
    }

    @Test("T3 a response to a file is in the file; an error's body is not")
    func toFile() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer {
            $0.get("/a").reply(.text("content"))
            $0.get("/none").reply(.text("no", status: .notFound))
        }
        let transport = try URLSessionTransport()
        let file = folder.url.appending(path: "a")
        let response = try await transport.send(HTTPRequest(url: server.at("/a"), delivery: .file(file)))
        #expect(try Data(contentsOf: file) == Data("content".utf8))
        #expect(try await text(of: response) == "content")
        let other = folder.url.appending(path: "b")
        let refusal = try await transport.send(HTTPRequest(url: server.at("/none"), delivery: .file(other)))
        #expect(try await text(of: refusal) == "no")
        #expect(!FileManager.default.fileExists(atPath: other.path))
    }

    @Test("T3 a redirect is returned, with method and target untouched", arguments: [301, 302, 303, 307, 308])
    func redirect(_ status: Int) async throws {
        let code = try #require(HTTPStatus(status))
        let server = try await MockServer {
            $0.any("/old").reply(.text("moved", status: code).field(.location, "/new"))
            $0.any("/new").reply(.text("here"))
        }
        let request = HTTPRequest(method: .post, url: try server.at("/old"), body: "x")
        let response = try await URLSessionTransport().send(request)
        #expect(response.head.status == code)
        #expect(response.head.fields[.location] == "/new")
        #expect(server.requests.map(\.target) == ["/old"])
    }

    @Test("T3 a 304 is returned, and nothing is cached or kept")
    func notModified() async throws {
        let server = try await MockServer { request in
            request.fields[.ifNoneMatch] == nil
                ? .text("body").field(.etag, "\"1\"").field(.cacheControl, "max-age=600").field(.setCookie, "a=1")
                : .status(304)
        }
        let transport = try URLSessionTransport()
        for _ in 0..<2 {
            #expect(try await text(of: transport.send(HTTPRequest(url: server.url))) == "body")
        }
        let conditional = HTTPRequest(url: server.url, fields: [.ifNoneMatch: "\"1\"", .cookie: "mine=1"])
        #expect(try await transport.send(conditional).head.status == .notModified)
        #expect(server.requests.map { $0.fields[.cookie] } == [nil, nil, "mine=1"])
    }

    @Test(
        "T3 a 401 is returned with its body",
        arguments: ["Basic realm=\"a\"", "Bearer", "Digest realm=\"a\", nonce=\"b\""])
    func unauthorized(_ challenge: String) async throws {
        let server = try await MockServer { _ in
            .text("who are you?", status: .unauthorized).field(.wwwAuthenticate, challenge)
        }
        let response = try await URLSessionTransport().send(HTTPRequest(url: server.url))
        #expect(response.head.status == .unauthorized)
        #expect(response.head.fields[.wwwAuthenticate] == challenge)
        #expect(try await text(of: response) == "who are you?")
        #expect(server.requestCount == 1)
    }

    @Test("T3 joined lines of Set-Cookie are taken apart")
    func cookies() async throws {
        let lines = ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/", "b=x,y", "c=3; Secure"]
        let server = try await MockServer { _ in
            var answer = MockResponse.text("ok")
            for line in lines { answer.fields.append(line, for: .setCookie) }
            return answer
        }
        let response = try await URLSessionTransport().send(HTTPRequest(url: server.url))
        #expect(response.head.fields.values(of: .setCookie) == lines)
    }

    @Test("T4 a server that falls silent is .timedOut, to the millisecond")
    func timeouts() async throws {
        let server = try await MockServer { $0.any("*").reply(.hang) }
        var request = HTTPRequest(url: server.url)
        request.options.timeouts.connect = .milliseconds(60)
        request.options.timeouts.inactivity = .milliseconds(60)
        let begin = ContinuousClock.now
        #expect(await failure(of: request)?.kind == .timedOut(.inactivity))
        #expect(ContinuousClock.now - begin >= .milliseconds(120))
        request.options.timeouts = Timeouts()
        request.options.timeouts.total = .milliseconds(60)
        #expect(await failure(of: request)?.kind == .timedOut(.total))
        try await server.waitUntilConnectionsClose()
    }

    @Test("T5 canceling the task ends the exchange and closes its connection")
    func cancel() async throws {
        let server = try await MockServer { $0.any("*").reply(.hang) }
        let url = server.url
        let task = Task { await failure(of: HTTPRequest(url: url)) }
        try await server.waitForRequests()
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        try await server.waitUntilConnectionsClose()
    }

    @Test("T1 more than the limit is .tooLarge, and ends the transfer")
    func limit() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(every: .milliseconds(1))) }
        #expect(
            await failure(of: HTTPRequest(url: server.url, delivery: .buffered(limit: 1000)))?.kind
                == .tooLarge(limit: 1000))
        try await server.waitUntilConnectionsClose()
    }

    @Test("T1 a streamed response returns before its body is complete")
    func streaming() async throws {
        let (chunks, feed) = AsyncStream<Data>.makeStream()
        let server = try await MockServer { $0.get("/").reply(.stream(once: chunks)) }
        feed.yield(Data("first".utf8))
        let response = try await URLSessionTransport().send(HTTPRequest(url: server.url, delivery: .streamed))
        var body = response.body.makeAsyncIterator()
        #expect(try await body.next() == Data("first".utf8))
        feed.yield(Data("second".utf8))
        #expect(try await body.next() == Data("second".utf8))
        feed.finish()
        #expect(try await body.next() == nil)
    }

    @Test("T1 releasing a streamed body closes its connection")
    func letGo() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(every: .milliseconds(1))) }
        let transport = try URLSessionTransport()
        do {
            let response = try await transport.send(HTTPRequest(url: server.url, delivery: .streamed))
            for try await _ in response.body { break }
        }
        try await server.waitUntilConnectionsClose()
    }

    #if canImport(FoundationNetworking)
    @Test("T1 a reader that falls too far behind ends the exchange, as nothing can slow the server")
    func slowReader() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(every: .zero)) }
        let transport = try URLSessionTransport { $0.streamBuffer = 64 << 10 }
        let over = Watched(false)
        var request = HTTPRequest(url: server.url, delivery: .streamed)
        request.options.onEvent = { if case .finished = $0 { over.update { $0 = true } } }
        let response = try await transport.send(request)
        try await over.wait { $0 }
        let error = await #expect(throws: NetworkError.self) { for try await _ in response.body {} }
        guard case .unsupported(_, on: "URLSession on Linux") = error?.kind else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
    }
    #endif

    @Test(
        "T9 finishing waits for what is in progress; later sends are .shutdown",
        arguments: [ShutdownMode.finishing, .cancelling])
    func shutdown(_ mode: ShutdownMode) async throws {
        let (gate, opener) = AsyncStream<Data>.makeStream()
        let server = try await MockServer { $0.any("*").reply(.stream(once: gate)) }
        let transport = try URLSessionTransport()
        let url = server.url
        let exchange = Task { await failure(of: HTTPRequest(url: url), over: transport) }
        try await server.waitForRequests()
        if mode == .finishing { opener.finish() }
        await transport.shutdown(mode)
        await transport.shutdown(.finishing)
        #expect(await exchange.value?.kind == (mode == .finishing ? nil : .cancelled))
        #expect(await failure(of: HTTPRequest(url: url), over: transport)?.kind == .shutdown)
        try await server.waitUntilConnectionsClose()
    }

    @Test("T3 a transport that is released lets go of its session and connections")
    func release() async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        do {
            let transport = try URLSessionTransport()
            _ = try await transport.send(HTTPRequest(url: server.url))
        }
        try await server.waitUntilConnectionsClose()
    }

    @Test("T9 a stream that was read to its end, and is kept, keeps no session and no connection")
    func kept() async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let response = try await URLSessionTransport().send(HTTPRequest(url: server.url, delivery: .streamed))
        #expect(try await text(of: response) == "ok")
        try await server.waitUntilConnectionsClose()
        #expect(response.head.status == .ok)
    }

    @Test("T3 unsupported features are rejected before anything is sent")
    func refusals() async throws {
        let server = try await MockServer { _ in .text("ok") }
        var coded = HTTPRequest(url: server.url)
        coded.fields[.acceptEncoding] = "br"
        var upgrade = HTTPRequest(url: server.url)
        upgrade.options.upgrade = ProtocolUpgrade(to: "websocket")
        let connect = HTTPRequest(method: .connect, url: server.url)
        for request in [coded, upgrade, connect, HTTPRequest(url: server.url, body: "x")] {
            guard case .unsupported = await failure(of: request)?.kind else {
                Issue.record("\(request) was not refused")
                continue
            }
        }
        #expect(server.requestCount == 0)
        let refused = #expect(throws: NetworkError.self) {
            _ = try URLSessionTransport { $0.tls.pins["localhost"] = .withoutBackup(.sha256(Data(count: 32))) }
        }
        guard case .unsupported = refused?.kind else { return #expect(Bool(false), "pins were taken") }
    }

    @Test("S1 T3 on Linux a TLS rule makes no transport, and one that can never hold is reported apart")
    func rules() {
        let pin = Pin.sha256([UInt8](repeating: 1, count: 32))
        let rule = #expect(throws: NetworkError.self) {
            try URLSessionTransport { $0.tls.pins["example.com"] = .withoutBackup(pin) }
        }
        #expect(rule?.kind == .unsupported(feature: "a TLS rule for a single host", on: "URLSession on Linux"))
        let fault = #expect(throws: NetworkError.self) {
            try URLSessionTransport { $0.tls.pins["example.com"] = [pin] }
        }
        guard case .invalidRequest = fault?.kind else { return #expect(Bool(false), "\(fault as Any)") }
    }
}
