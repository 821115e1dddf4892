import GodwitCore
import GodwitTesting
import Synchronization
import Testing

@Suite("W4 reconnecting sockets", .timeLimit(.minutes(15)))
struct ReconnectingSessionTests {
    private static func socket(_ connection: FakeMessages) -> WebSocket {
        var options = WebSocketOptions()
        options.keepalive = nil
        options.closeTimeout = .milliseconds(1)
        return WebSocket(
            connection, options, WebSocketHandshake.Agreement(), HTTPResponseHead(status: .switchingProtocols))
    }

    /// Gives out connections, each as soon as its gate opens.
    private final class Connector: Sendable {
        let made = Watched<[FakeMessages]>([])
        let asked = Watched(0)
        private let holds: Bool

        init(holdingSends: Bool = false) {
            holds = holdingSends
        }

        func connect(_ delay: @Sendable () async -> Void = {}) async -> WebSocket {
            asked.update { $0 += 1 }
            await delay()
            let connection = FakeMessages(holdsSends: holds)
            made.update { $0.append(connection) }
            return ReconnectingSessionTests.socket(connection)
        }
    }

    private func isEnded(_ connection: FakeMessages) -> Bool {
        connection.done.value.contains { $0.hasPrefix("abandon") }
    }

    @Test("W4 close at any moment of a connection attempt leaves no connection open")
    func closeRacingConnect() async throws {
        for round in 0..<300 {
            let connector = Connector()
            let socket = ReconnectingWebSocket { () async throws(NetworkError) in
                // Takes no notice of cancellation, as a handshake that is just done.
                await connector.connect { for _ in 0..<(round % 12) { await Task.yield() } }
            }
            for _ in 0..<(round % 17) { await Task.yield() }
            await socket.close()
            if connector.asked.value > 0 {
                try await connector.made.wait { !$0.isEmpty }
                let connection = connector.made.value[0]
                try await connection.done.wait { $0.contains { $0.hasPrefix("abandon") } }
            }
            #expect(connector.made.value.count <= 1)
        }
    }

    @Test("W4 M4 however long the server asks to wait, the next attempt follows after the bound")
    func bound() async throws {
        let clock = TestClock()
        var options = ReconnectOptions()
        options.clock = clock
        options.backoff = Backoff(base: .zero)
        let socket = ReconnectingWebSocket(options) { () async throws(NetworkError) -> WebSocket in
            throw NetworkError(.rateLimited(retryAfter: .seconds(31_536_000)), phase: .validating)
        }
        #expect(try await clock.nextSleep() == .seconds(60))
        #expect(try await clock.nextSleep() == .seconds(60))
        await socket.close()
    }

    @Test("W4 sending after close throws, and closing again does nothing")
    func afterClose() async throws {
        let connector = Connector()
        let socket = ReconnectingWebSocket { () async throws(NetworkError) in await connector.connect() }
        for await state in socket.states { if case .open = state { break } }
        await socket.close()
        await socket.close()
        let error = await failure { () throws(NetworkError) in try await socket.send("late") }
        #expect(error?.kind == .socketClosed(code: .normalClosure, reason: ""))
        #expect(isEnded(connector.made.value[0]))
    }

    @Test("W4 a message interrupted by the end of its connection is sent again, first; others are sent once")
    func duplicates() async throws {
        let clock = TestClock()
        let connector = Connector(holdingSends: true)
        var options = ReconnectOptions()
        options.clock = clock
        let socket = ReconnectingWebSocket(options) { () async throws(NetworkError) in await connector.connect() }
        for await state in socket.states { if case .open = state { break } }
        let first = connector.made.value[0]
        let sending = Task { try await socket.send("cut off") }
        try await first.done.wait { $0.contains("send cut off") }
        first.end(error: NetworkError(.transport(.connectionLost("gone")), phase: .receiving))
        try await sending.value
        try await clock.waitForSleepers()
        try await socket.send("second")
        clock.advance(by: .seconds(1))
        try await connector.made.wait { $0.count == 2 }
        let again = connector.made.value[1]
        try await again.done.wait { $0.contains("send cut off") }
        #expect(!again.done.value.contains("send second"))
        again.completeSend()
        try await again.done.wait { $0.contains("send second") }
        again.completeSend()
        #expect(again.done.value.filter { $0.hasPrefix("send") } == ["send cut off", "send second"])
        await socket.close()
    }

    @Test("W4 dropOldest doesn't drop the message being sent, nor messages within the limit")
    func droppingWhileSending() async throws {
        let clock = TestClock()
        let connector = Connector(holdingSends: true)
        let isUp = Watched(false)
        var options = ReconnectOptions()
        (options.clock, options.outgoingLimit, options.overflow) = (clock, 2, .dropOldest)
        let socket = ReconnectingWebSocket(options) { () async throws(NetworkError) in
            guard isUp.value else { throw NetworkError(.transport(.cannotConnect("down")), phase: .connecting) }
            return await connector.connect()
        }
        try await clock.waitForSleepers()
        for text in ["a", "b"] { try await socket.send(.text(text)) }
        isUp.update { $0 = true }
        clock.advance(by: .seconds(1))
        try await connector.made.wait { $0.count == 1 }
        let connection = connector.made.value[0]
        try await connection.done.wait { $0.contains("send a") }
        // "a" is in hand: "b" waits, and "c" and "d" come while there is room for two.
        for text in ["c", "d"] { try await socket.send(.text(text)) }
        for text in ["a", "c", "d"] {
            try await connection.done.wait { $0.contains("send \(text)") }
            connection.completeSend()
        }
        #expect(connection.done.value.filter { $0.hasPrefix("send") } == ["send a", "send c", "send d"])
        await socket.close()
    }
}
