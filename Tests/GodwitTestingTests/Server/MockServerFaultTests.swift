import GodwitCore
import GodwitLibc
import GodwitTesting
import Testing

@Suite("X3 MockServer: faults and rates", .timeLimit(.minutes(15)))
struct MockServerFaultTests {
    private let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    private func received(_ response: MockResponse) async throws -> RawClient.Received {
        let server = try await MockServer { $0.get("/").reply(response) }
        let client = try RawClient(server.url)
        await client.send(get)
        let received = await client.readToEnd()
        try await server.waitUntilConnectionsClose()
        return received
    }

    @Test("X3 a response can be dropped after a number of body bytes", arguments: [0, 1, 4, 5])
    func dropped(count: Int) async throws {
        let answer = try await received(.text("hello").dropped(after: .bytes(count)))
        #expect(answer.text.hasSuffix("Content-Length: 5\r\n\r\n" + "hello".prefix(count)))
        #expect(answer.ending == 0)
    }

    @Test("X3 a dropped chunked response has no last chunk")
    func droppedChunks() async throws {
        let answer = try await received(.endlessChunks(of: 4, every: .zero).dropped(after: .bytes(6)))
        #expect(answer.text.hasSuffix("\r\n\r\n4\r\n....\r\n2\r\n..\r\n"))
        #expect(answer.ending == 0)
    }

    @Test("X3 a reply can drop the connection")
    func dropAfter() async throws {
        let server = try await MockServer { route in
            route.get("/").reply(.endlessChunks(every: .zero), dropAfter: .bytes(1000))
        }
        let client = try RawClient(server.url)
        await client.send(get)
        let answer = await client.readToEnd()
        #expect(answer.text.filter { $0 == "." }.count == 1000 + "HTTP/1.1".filter { $0 == "." }.count)
        #expect(answer.ending == 0)
    }

    @Test("X3 a response can be reset after a number of body bytes")
    func reset() async throws {
        let answer = try await received(.text("hello").reset(after: .bytes(2)))
        #expect(answer.ending == ECONNRESET)
    }

    @Test("X3 a connection can be reset or closed without a response")
    func noAnswer() async throws {
        let reset = try await received(.reset)
        #expect(reset.text.isEmpty && reset.ending == ECONNRESET)
        let closed = try await received(.close)
        #expect(closed.text.isEmpty && closed.ending == 0)
        let failed = try await received(.failure(.timedOut(.total)))
        #expect(failed.text.isEmpty && failed.ending == 0)
    }

    @Test("X3 a body that fails halfway ends the connection without its last chunk")
    func failingStream() async throws {
        struct Broken: Error {}
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("ab".utf8))
            continuation.finish(throwing: Broken())
        }
        let answer = try await received(.stream(once: chunks))
        #expect(answer.text.hasSuffix("\r\n\r\n2\r\nab\r\n"))
        #expect(answer.ending == 0)
    }

    @Test("X3 a response can hang until the client disconnects")
    func hang() async throws {
        let server = try await MockServer { $0.get("/").reply(.hang) }
        let client = try RawClient(server.url)
        await client.send(get)
        try await server.waitForRequests()
        #expect(server.openConnectionCount == 1)
        client.hangUp()
        try await server.waitUntilConnectionsClose()
    }

    @Test("X3 delays and intervals use the given clock")
    func delays() async throws {
        let clock = TestClock()
        var options = MockServer.Options()
        options.clock = clock
        let response = MockResponse.chunks(["a", "b"].map { Data($0.utf8) }, every: .seconds(3))
        let server = try await MockServer(options) { $0.get("/").reply(response, after: .seconds(60)) }
        let client = try RawClient(server.url)
        await client.send(get)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(59))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        #expect(await client.read(until: "1\r\na\r\n").text.hasPrefix("HTTP/1.1 200"))
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3))
        #expect(await client.read(until: "0\r\n\r\n").text == "1\r\nb\r\n0\r\n\r\n")
    }

    @Test("X3 a throttled body is sent every tenth of a second")
    func throttled() async throws {
        let clock = TestClock()
        var options = MockServer.Options()
        options.clock = clock
        let server = try await MockServer(options) {
            $0.get("/").reply(.text("0123456789").throttled(bytesPerSecond: 40))
        }
        let client = try RawClient(server.url)
        await client.send(get)
        #expect(await client.read(until: "\r\n\r\n0123").text.hasPrefix("HTTP/1.1 200"))
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        #expect(await client.read(atLeast: 4).text == "4567")
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(50))
        #expect(await client.read(atLeast: 2).text == "89")
    }

    @Test(
        "X3 a client that disconnects during a delay, a handler or an endless body is detected",
        arguments: [
            "/delay", "/handler", "/endless", "/paused",
        ])
    func clientLeaves(path: String) async throws {
        var options = MockServer.Options()
        options.clock = TestClock()
        let server = try await MockServer(options) {
            $0.get("/delay").reply(.text("never"), after: .seconds(1))
            $0.get("/handler").reply { _ in
                try await TestClock().sleep(for: .seconds(1))
                return .close
            }
            $0.get("/endless").reply(.endlessChunks(every: .zero))
            $0.get("/paused").reply(.endlessChunks(every: .seconds(1)))
        }
        let client = try RawClient(server.url)
        await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        try await server.waitForRequests()
        client.hangUp()
        try await server.waitUntilConnectionsClose()
    }

    @Test("X3 a slow reader slows down the server")
    func backPressure() async throws {
        let pulled = Counter()
        var options = MockServer.Options()
        options.sendBuffer = 16 << 10
        let server = try await MockServer(options) {
            $0.get("/").reply(
                MockResponse(
                    body: .stream {
                        AsyncStream<Data>(unfolding: { pulled.next() > 1000 ? nil : Data(count: 64 << 10) })
                    }))
        }
        let client = try RawClient(server.url, receiveBuffer: 16 << 10)
        await client.send(get)
        _ = await client.read(atLeast: 1)
        client.hangUp()
        try await server.waitUntilConnectionsClose()
        #expect(pulled.value < 100)
    }
}
