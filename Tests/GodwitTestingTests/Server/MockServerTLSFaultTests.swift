#if os(Linux)
import Glibc
import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("X3 MockServer: faults over TLS", .timeLimit(.minutes(15)))
struct MockServerTLSFaultTests {
    private static func client(_ server: MockServer) -> APIClient {
        APIClient(baseURL: server.url) {
            $0.retry.maximumAttempts = 1
            $0.tls.trust(server)
        }
    }

    private static func kind(of response: MockResponse) async throws -> NetworkError.Kind? {
        let server = try await MockServer(.tls) { $0.get("/").reply(response) }
        let result = await client(server).result(of: Endpoint<Data>.get(""))
        await server.stop()
        return result.failureKind
    }

    // MARK: Handshakes

    @Test(
        "X3 a handshake that the server ends is .insecure(.handshake)",
        arguments: [
            MockServer.TLS.Handshake.closes, .resets, .answersPlainly,
        ])
    func brokenHandshake(handshake: MockServer.TLS.Handshake) async throws {
        let server = try await MockServer(.tls { $0.handshake = handshake }) { $0.get("/").reply(.text("never")) }
        let kind = await Self.client(server).result(of: Endpoint<Data>.get("")).failureKind
        guard case .insecure(.handshake) = kind else {
            Issue.record("not the error expected: \(String(describing: kind))")
            return
        }
        try await server.waitUntilConnectionsClose()
        #expect(server.requestCount == 0)
        #expect(server.handshakeFailures == ["as configured: \(handshake)"])
        await server.stop()
    }

    @Test("X3 a hanging handshake times out at the client's connect limit")
    func hangingHandshake() async throws {
        let server = try await MockServer(.tls { $0.handshake = .hangs }) { $0.get("/").reply(.text("never")) }
        let api = APIClient(baseURL: server.url) {
            $0.retry.maximumAttempts = 1
            $0.timeouts.connect = .milliseconds(200)
            $0.tls.trust(server)
        }
        #expect(await api.result(of: Endpoint<Data>.get("")).failureKind == .timedOut(.connect))
        try await server.waitUntilConnectionsClose()
        await server.stop()
    }

    @Test("X3 stopping ends a hanging handshake")
    func stopDuringHandshake() async throws {
        let server = try await MockServer(.tls { $0.handshake = .hangs }) { $0.get("/").reply(.text("never")) }
        let silent = try RawClient(server.url)
        let completing = try await MockServer(.tls) { $0.get("/").reply(.text("never")) }
        let halfWay = try RawClient(completing.url)
        // The beginning of a ClientHello, whose rest does not come.
        await halfWay.send(Data([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]))
        await server.stop()
        await completing.stop()
        #expect(await silent.readToEnd().ending != nil)
        #expect(await halfWay.readToEnd().ending != nil)
    }

    @Test("X3 plain http to a TLS port gets no response and causes no damage")
    func plainToTLS() async throws {
        let server = try await MockServer(.tls) { $0.get("/").reply(.text("hello")) }
        let raw = try RawClient(server.url)
        await raw.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(!(await raw.readToEnd().text.contains("HTTP/1.1")))
        try await server.waitUntilConnectionsClose()
        #expect(server.handshakeFailures == ["http request"])
        #expect(try await Self.client(server).send(Endpoint<String>.get("")) == "hello")
        await server.stop()
    }

    // MARK: Answers

    @Test("X3 a truncated response over TLS is a lost connection")
    func cutShort() async throws {
        let data = Data(count: 5000)
        for response in [
            MockResponse.bytes(data).dropped(after: .bytes(1000)), .bytes(data).reset(after: .bytes(1000)),
            .bytes(data).truncated(after: .bytes(1000)),
            .bytes(data).framed(.untilClose).truncated(after: .bytes(1000)),
            .close, .reset,
        ] {
            guard case .transport(.connectionLost) = try await Self.kind(of: response) else {
                Issue.record("\(response)")
                continue
            }
        }
    }

    @Test("X3 a response ends with close_notify, and a truncated one without")
    func truncation() async throws {
        var response = MockResponse.text("hello")
        response.framing = .untilClose
        #expect(try await Self.kind(of: response) == nil)
        #expect(try await Self.endsWithCloseNotify(response))
        #expect(try await Self.endsWithCloseNotify(response.dropped(after: .bytes(2))))
        #expect(try await !Self.endsWithCloseNotify(response.truncated(after: .bytes(2))))
        #expect(try await !Self.endsWithCloseNotify(response.truncated(after: .bytes(100))))
    }

    /// What `openssl s_client` says.
    private static func endsWithCloseNotify(_ response: MockResponse) async throws -> Bool {
        let server = try await MockServer(.tls) { $0.get("/").reply(response) }
        let (input, output) = (try ChildProgram.Pipe(), try ChildProgram.Pipe())
        let program = try ChildProgram(
            ["/usr/bin/env", "openssl", "s_client", "-quiet", "-ign_eof", "-connect", "127.0.0.1:\(server.url.port)"],
            ChildProgram.Streams(input: input.reading, output: output.writing, errors: output.writing))
        let request = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        let code = await program.waiting {
            _ = write(input.writing, request, request.count)
            let code = program.waitForEnd()
            close(input.writing)
            close(output.reading)
            return code
        }
        #expect(server.requestCount == 1)
        await server.stop()
        return code == 0
    }

    @Test("X3 over plain TCP a truncated answer is a dropped one")
    func plainTruncation() async throws {
        let server = try await MockServer { $0.get("/").reply(.text("hello").truncated(after: .bytes(2))) }
        let raw = try RawClient(server.url)
        let answer = await raw.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n", until: "\r\n\r\nhe")
        #expect(answer.hasSuffix("\r\n\r\nhe"))
        #expect(await raw.readToEnd().ending == 0)
        await server.stop()
    }

    // MARK: All that goes over it

    @Test("X3 large bodies are sent both ways over TLS on one connection")
    func large() async throws {
        let server = try await MockServer(.tls) {
            $0.post("/echo").reply { request in .bytes(request.body) }
        }
        let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let api = Self.client(server)
        for _ in 1...2 {
            #expect(try await api.send(Endpoint<Data>.post("echo", body: .data(data))) == data)
        }
        #expect(server.connectionCount == 1)
        await server.stop()
    }

    @Test("X3 server-sent events arrive over TLS as they are sent")
    func events() async throws {
        let server = try await MockServer(.tls) {
            $0.get("/live").reply(.events(["one", "two"]))
        }
        var texts: [String] = []
        for try await event in Self.client(server).events(Endpoint<Data>.get("live")) {
            texts.append(event.data)
            if texts.count == 2 { break }
        }
        #expect(texts == ["one", "two"])
        await server.stop()
    }

    @Test("X3 a WebSocket works over TLS in both directions simultaneously")
    func webSocket() async throws {
        let server = try await MockServer(.tls) { route in
            route.webSocket("/echo") { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
        let socket = try await Self.client(server).webSocket("echo")
        let large = String(repeating: "x", count: 300_000)
        let sender = Task {
            for index in 0..<20 { try await socket.send(.text("\(index) \(large)")) }
        }
        var count = 0
        for try await message in socket.messages {
            guard case .text(let text) = message else { continue }
            #expect(text.hasPrefix("\(count) ") && text.utf8.count > large.utf8.count)
            count += 1
            if count == 20 { break }
        }
        try await sender.value
        await socket.close()
        try await server.waitUntilConnectionsClose()
        await server.stop()
    }
}
#endif
