#if canImport(Glibc)
import Glibc
import Godwit
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

private let curlProgram = ["/usr/bin/curl", "/usr/local/bin/curl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

@Suite("X3 MockServer: HTTP/2", .timeLimit(.minutes(15)))
struct MockServerHTTP2Tests {
    private static func options(
        _ protocols: MockServer.Protocols = .http2AndHTTP1, tls: Bool = true
    ) -> MockServer.Options {
        var options = tls ? MockServer.Options.tls : MockServer.Options()
        options.protocols = protocols
        return options
    }

    private static func client(_ server: MockServer) -> APIClient {
        APIClient(baseURL: server.url) {
            $0.retry.maximumAttempts = 1
            $0.tls.trust(server)
        }
    }

    @Test("T16 a server with HTTP/2 answers by routes, and the request shows its version")
    func routes() async throws {
        let server = try await MockServer(Self.options()) {
            $0.get("/articles/:id").reply { request in .text(request.parameters["id"] ?? "") }
            $0.post("/echo").reply { request in .bytes(request.body) }
        }
        let api = Self.client(server)
        let response = try await api.response(for: Endpoint<String>.get("articles/7", query: ["a": "b c"]))
        #expect(response.value == "7" && response.metrics.protocolVersion == .http2)
        let data = Data((0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let echo = try await api.response(for: Endpoint<Data>.post("echo", body: .data(data)))
        #expect(echo.value == data && echo.head.fields[.contentLength] == "700001")
        let missing = try await api.send(HTTPRequest(url: server.url))
        #expect(missing.head.status == .notFound)
        let request = try #require(server.requests.first)
        #expect(request.version == .http2 && request.connection == 1)
        #expect(request.url?.absoluteString == "\(server.url)articles/7?a=b%20c")
        #expect(request.fields[.host] == "127.0.0.1:\(server.url.port)")
        #expect(server.requests.map(\.arrival) == [.complete, .complete, .complete])
        #expect(server.connectionCount == 1)
        await server.stop()
    }

    @Test("T16 prior knowledge over plain http, and HTTP/1.1 beside it")
    func priorKnowledge() async throws {
        let server = try await MockServer(Self.options(tls: false)) { _ in .text("ok") }
        let transport = try SocketTransport { $0.protocols = .http2PriorKnowledge }
        let response = try await transport.send(HTTPRequest(url: server.url))
        #expect(response.metrics.protocolVersion == .http2)
        let plain = try await SocketTransport().send(HTTPRequest(url: server.url))
        #expect(plain.metrics.protocolVersion == .http1_1)
        #expect(server.requests.map(\.version) == [.http2, .http1_1])
        // A server for HTTP/2 alone closes other connections.
        let only = try await MockServer(Self.options(.http2, tls: false)) { _ in .text("ok") }
        await #expect(throws: NetworkError.self) { try await SocketTransport().send(HTTPRequest(url: only.url)) }
        #expect(only.requests.isEmpty)
    }

    @Test("T16 without the option, a server speaks HTTP/1.1")
    func defaults() async throws {
        let server = try await MockServer(.tls) { _ in .text("ok") }
        let response = try await Self.client(server).response(for: Endpoint<String>.get(""))
        #expect(response.metrics.protocolVersion == .http1_1 && server.requests[0].version == .http1_1)
    }

    @Test("T16 50 requests share a connection, and are answered while others wait")
    func concurrent() async throws {
        let arrived = Watched(0)
        let server = try await MockServer(Self.options()) {
            $0.get("/:id").reply { request in
                arrived.update { $0 += 1 }
                try await arrived.wait { $0 >= 51 }
                return .text(request.parameters["id"] ?? "")
            }
        }
        let api = Self.client(server)
        // The version is known from here on.
        async let first = api.send(Endpoint<String>.get("first"))
        try await arrived.wait { $0 == 1 }
        let answers = try await (0..<50).concurrentMap(limit: 50) { try await api.send(Endpoint<String>.get("\($0)")) }
        #expect(answers == (0..<50).map { "\($0)" })
        #expect(try await first == "first")
        #expect(server.connectionCount == 1)
    }

    @Test("T16 bodies of every kind arrive whole, with trailers and interim responses", arguments: [true, false])
    func bodies(isStreamed: Bool) async throws {
        let data = Data((0..<300_001).map { UInt8(truncatingIfNeeded: $0) })
        var answer = MockResponse(fields: ["X-Own": "ü", .connection: "keep-alive"], body: .bytes(data))
        if isStreamed { answer = .chunks([data.prefix(100_000), data.dropFirst(100_000)], every: .zero) }
        answer.trailers = ["X-Sum": "7"]
        answer.interim = [HTTPResponseHead(status: try #require(HTTPStatus(103)), fields: [.link: "</a>"])]
        let scripted = answer
        let server = try await MockServer(Self.options()) {
            $0.any("/body").reply(scripted)
            $0.any("/empty").reply(.status(.noContent))
        }
        let api = Self.client(server)
        let heads = Watched(0)
        let url = try server.url.resolving("/body")
        for delivery in [Delivery.buffered, .streamed] {
            var request = HTTPRequest(url: url, delivery: delivery)
            request.options.onEvent = { event in if case .interim = event { heads.update { $0 += 1 } } }
            let response = try await api.send(request)
            #expect(try await response.body.collect(upTo: 1 << 20) == data)
            #expect(response.trailers["X-Sum"] == "7")
            #expect(!response.head.fields.contains(.contentLength))
        }
        #expect(heads.value == 2)
        let head = try await api.send(HTTPRequest(method: .head, url: url))
        #expect(head.head.status == .ok && head.trailers.isEmpty)
        try await api.send(Endpoint<Void>.delete("empty"))
        #expect(server.connectionCount == 1)
    }

    @Test("T16 a reader that does not read stops the response, and others on the connection continue")
    func backPressure() async throws {
        let given = Watched(0)
        let endless = AsyncStream<Data> { [given] in
            given.update { $0 += 1 }
            return Data(count: 64 << 10)
        }
        let server = try await MockServer(Self.options()) {
            $0.get("/endless").reply(MockResponse(body: .stream(once: endless)))
            $0.get("/ok").reply(.text("ok"))
        }
        let api = Self.client(server)
        let response = try await api.send(HTTPRequest(url: try server.url.resolving("/endless"), delivery: .streamed))
        var last = -1
        while given.value != last {
            last = given.value
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await api.send(Endpoint<String>.get("ok")) == "ok")
        }
        // What the stream's window, 1 MiB at most, and the buffers of the system hold.
        #expect(last < 128)
        for try await _ in response.body { break }
        #expect(server.connectionCount == 1)
    }

    @Test("T16 an early response ends the upload with RST_STREAM, and the connection stays")
    func early() async throws {
        let server = try await MockServer(Self.options()) {
            $0.put("/").early().reply(.text("too big", status: .contentTooLarge))
            $0.put("/whole").reply { .text("\($0.bodyByteCount)") }
            $0.get("/ok").reply(.text("ok"))
        }
        let api = Self.client(server)
        let chunks = AsyncStream<Data> { Data(count: 10_000) }
        let upload = HTTPRequest(method: .put, url: server.url, body: .stream(once: chunks))
        let response = try await api.send(upload)
        #expect(response.head.status == .contentTooLarge)
        // What was not read takes nothing of the connection's window.
        let whole = Endpoint<String>.put("whole", body: .data(Data(count: 300_000)))
        #expect(try await api.send(whole) == "300000")
        #expect(server.connectionCount == 1)
    }

    @Test("T16 a fault resets its stream, or ends the connection")
    func faults() async throws {
        let data = Data(count: 200_000)
        let server = try await MockServer(Self.options()) {
            $0.get("/reset").reply(.bytes(data).reset(after: .bytes(1000)))
            $0.get("/never").reply(.reset)
            $0.get("/dropped").reply(.bytes(data).dropped(after: .bytes(1000)))
            $0.get("/truncated").reply(.bytes(data).truncated(after: .bytes(1000)))
            $0.get("/raw").reply(.raw("HTTP/1.1 200 OK\r\n\r\n"))
            $0.get("/closing").reply(.text("last").closing())
            $0.get("/ok").reply(.text("ok"))
        }
        let api = Self.client(server)
        for (path, connections) in [("reset", 1), ("never", 1), ("raw", 1), ("dropped", 2), ("truncated", 3)] {
            let error = await api.result(of: Endpoint<Data>.get(path)).failureKind
            guard case .transport = error else {
                Issue.record("\(path): \(String(describing: error))")
                continue
            }
            #expect(try await api.send(Endpoint<String>.get("ok")) == "ok")
            #expect(server.connectionCount == connections)
        }
        #expect(try await api.send(Endpoint<String>.get("closing")) == "last")
        #expect(try await api.send(Endpoint<String>.get("ok")) == "ok")
        #expect(server.connectionCount == 4)
    }

    @Test("T16 a client that leaves ends the handler, and stop() ends everything")
    func left() async throws {
        let states = Watched<[String]>([])
        let server = try await MockServer(Self.options()) {
            $0.get("/slow").reply { _ in
                states.update { $0.append("began") }
                do {
                    try await Watched(0).wait { _ in false }
                } catch {
                    states.update { $0.append("canceled") }
                }
                return .text("late")
            }
            $0.get("/hang").reply(.hang)
            $0.get("/ok").reply(.text("ok"))
        }
        let api = Self.client(server)
        let task = Task { await api.result(of: Endpoint<String>.get("slow")).failureKind }
        try await states.wait { $0 == ["began"] }
        task.cancel()
        #expect(await task.value == .cancelled)
        try await states.wait { $0 == ["began", "canceled"] }
        #expect(try await api.send(Endpoint<String>.get("ok")) == "ok")
        let hanging = Task { await api.result(of: Endpoint<String>.get("hang")).failureKind }
        try await server.waitForRequests(count: 3)
        await server.stop()
        #expect(await hanging.value != nil)
        #expect(server.openConnectionCount == 0)
    }

    @Test("T16 too large heads get a 431, and the body limit holds")
    func limits() async throws {
        var options = Self.options()
        options.headLimit = 4096
        options.bodyLimit = 1000
        let server = try await MockServer(options) { _ in .text("ok") }
        let api = Self.client(server)
        var large = HTTPRequest(url: server.url)
        large.fields["X-Large"] = String(repeating: "x", count: 8000)
        #expect(try await api.send(large).head.status.code == 431)
        _ = try await api.send(HTTPRequest(method: .put, url: server.url, body: .bytes(Data(count: 100_000))))
        #expect(server.requests.last?.body.count == 1000 && server.requests.last?.bodyByteCount == 100_000)
    }

    @Test(
        "T16 bytes that are not HTTP/2 end the connection",
        arguments: ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense, not frames", "PRI * HTTP/2.0\r\n\r\n"])
    func nonsense(_ text: String) async throws {
        let server = try await MockServer(Self.options(.http2, tls: false)) { _ in .text("ok") }
        let client = try RawClient(server.url)
        await client.send(text)
        if text.hasSuffix("\r\n\r\n") { await client.send("x") }
        try await server.waitUntilConnectionsClose()
        #expect(server.requests.isEmpty)
    }

    @Test("T16 curl and the server agree on HTTP/2", .enabled(if: curlProgram != nil, "needs curl"))
    func curl() async throws {
        let server = try await MockServer(Self.options(tls: false)) {
            $0.post("/").reply { .text("\($0.version?.rawValue ?? "") \($0.text)") }
        }
        let arguments = ["-s", "--http2-prior-knowledge", "-d", "sea", "-w", " %{http_version}", "\(server.url)"]
        #expect(try await Self.output(of: [try #require(curlProgram)] + arguments) == "HTTP/2 sea 2")
    }

    private static func output(of line: [String]) async throws -> String {
        let pipe = try ChildProgram.Pipe()
        let program = try ChildProgram(line, ChildProgram.Streams(output: pipe.writing))
        return await withCheckedContinuation { continuation in
            SystemThread {
                var bytes: [UInt8] = []
                var byte: UInt8 = 0
                while read(pipe.reading, &byte, 1) == 1 { bytes.append(byte) }
                close(pipe.reading)
                program.waitForEnd()
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }?.detach()
        }
    }
}
#endif
