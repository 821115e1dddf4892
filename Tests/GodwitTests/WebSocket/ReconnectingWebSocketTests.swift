import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("W4 reconnecting sockets over a real server", .timeLimit(.minutes(15)))
struct ReconnectingWebSocketTests {
    @Test("W4 after a lost connection it reconnects, subscribes, and sends waiting messages in order")
    func again() async throws {
        let clock = TestClock()
        let received = Watched<[String]>([])
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in
                while true {
                    guard case .text(let text) = try await socket.receive() else { continue }
                    received.update { $0.append("\(socket.request.connection) \(text)") }
                    if text == "drop" { return socket.drop() }
                }
            }
        }
        let socket = try api(server).reconnectingWebSocket("live") { _, reconnect in
            reconnect.clock = clock
            reconnect.onConnect = { socket throws(NetworkError) in try await socket.send("subscribe") }
        }
        var states = socket.states.makeAsyncIterator()
        try await expect(&states, "connecting 1", "open")
        try await socket.send("drop")
        try await expect(&states, "waiting")
        try await socket.send("one")
        try await socket.send("two")
        clock.advance(by: .seconds(1))
        try await expect(&states, "connecting 2", "open")
        try await socket.send("three")
        try await received.wait { $0.count == 6 }
        #expect(
            received.value == ["1 subscribe", "1 drop", "2 subscribe", "2 one", "2 two", "2 three"])
        await socket.close()
        try await expect(&states, "closed")
        #expect(await states.next() == nil)
        try await server.waitUntilConnectionsClose()
    }

    @Test("W4 the messages of all connections are one sequence, which ends with a clean close")
    func messages() async throws {
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in
                try await socket.send("from \(socket.request.connection)")
                await socket.close(socket.request.connection == 3 ? .normalClosure : .serviceRestart)
            }
        }
        let socket = try api(server).reconnectingWebSocket("live") { _, reconnect in
            reconnect.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(1))
        }
        var texts: [WebSocketMessage] = []
        for try await message in socket.messages { texts.append(message) }
        #expect(texts == [.text("from 1"), .text("from 2"), .text("from 3")])
    }

    @Test("W4 a final rejection ends the socket; other errors are retried with growing pauses")
    func refusals() async throws {
        let clock = TestClock()
        let server = try await MockServer { route in
            route.get("/live").replies([.status(503), .status(503), .status(403)])
        }
        let socket = try api(server).reconnectingWebSocket("live") { _, reconnect in
            reconnect.clock = clock
            reconnect.randomness = Highest()
        }
        var pauses: [Duration] = []
        var ending: NetworkError.Kind?
        for await state in socket.states {
            if case .waiting(let pause, _) = state {
                pauses.append(pause)
                try await clock.waitForSleepers()
                clock.advance(by: pause)
            }
            if case .closed(let error) = state { ending = error?.kind }
        }
        #expect(pauses.map { $0 / .seconds(1) }.map { ($0 * 100).rounded() / 100 } == [0.5, 1])
        #expect(ending == .forbidden)
        await #expect(throws: NetworkError.self) { try await socket.receive() }
        await #expect(throws: NetworkError.self) { try await socket.send("too late") }
    }

    @Test(
        "W4 if too many messages wait, the overflow policy decides which are dropped",
        arguments: [
            (ReconnectOptions.Overflow.dropOldest, ["b", "c"], false), (.dropNewest, ["a", "b"], false),
            (.fail, ["a", "b"], true),
        ])
    func overflow(_ overflow: ReconnectOptions.Overflow, _ kept: [String], _ throws: Bool) async throws {
        let clock = TestClock()
        let received = Watched<[String]>([])
        let isUp = Watched(false)
        let server = try await MockServer { route in
            route.get("/live").where { _ in !isUp.value }.reply(.status(503))
            route.webSocket("/live") { socket in
                while case .text(let text) = try await socket.receive() { received.update { $0.append(text) } }
            }
        }
        let socket = try api(server).reconnectingWebSocket("live") { _, reconnect in
            reconnect.clock = clock
            reconnect.outgoingLimit = 2
            reconnect.overflow = overflow
        }
        try await clock.waitForSleepers()
        try await socket.send("a")
        try await socket.send("b")
        let error = await failure { () throws(NetworkError) in try await socket.send("c") }
        #expect((error != nil) == `throws`)
        isUp.update { $0 = true }
        clock.advance(by: .seconds(1))
        try await received.wait { $0.count == 2 }
        #expect(received.value == kept)
    }

    @Test("W4 canceling a sender while the peer doesn't read ends the connection, not the session")
    func cancelledSender() async throws {
        let received = Watched<[String]>([])
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in
                if socket.request.connection == 1 { return try await Task.sleep(for: .seconds(600)) }
                while case .text(let text) = try await socket.receive() { received.update { $0.append(text) } }
            }
        }
        let socket = try api(server).reconnectingWebSocket("live") { _, reconnect in
            reconnect.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(1))
        }
        var states = socket.states.makeAsyncIterator()
        try await expect(&states, "connecting 1", "open")
        let started = Watched(0)
        let sender = Task {
            await failure { () throws(NetworkError) in
                while true {
                    started.update { $0 += 1 }
                    try await socket.send(.binary(Data(count: 4 << 20)))
                }
            }
        }
        // The second is begun once the first is with the kernel, or waits for it.
        try await started.wait { $0 >= 2 }
        sender.cancel()
        #expect(await sender.value?.kind == .cancelled)
        try await expect(&states, "waiting", "connecting 2", "open")
        try await socket.send("still here")
        try await received.wait { $0 == ["still here"] }
        await socket.close()
        await server.stop()
    }

    @Test("W4 releasing the socket closes its connection")
    func letGo() async throws {
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in _ = try await socket.receive() }
        }
        try await open(try api(server))
        try await server.waitUntilConnectionsClose()
    }

    private func open(_ api: APIClient) async throws {
        let socket = api.reconnectingWebSocket("live")
        for await state in socket.states {
            if case .open = state { return }
        }
    }

    private func api(_ server: MockServer) throws -> APIClient {
        APIClient(baseURL: server.url, transport: try SocketTransport { $0.proxy = .none })
    }

    private func expect(
        _ states: inout AsyncStream<ReconnectingWebSocket.State>.Iterator, _ names: String...
    ) async throws {
        for name in names {
            let state = try #require(await states.next())
            let found =
                switch state {
                case .connecting(let attempt): "connecting \(attempt)"
                case .open: "open"
                case .waiting: "waiting"
                case .closed: "closed"
                }
            #expect(found == name)
        }
    }
}

/// Draws the largest number there is, so that a pause is as long as it may be.
private struct Highest: RandomNumberGenerator, Sendable {
    mutating func next() -> UInt64 { .max - 4096 }
}
