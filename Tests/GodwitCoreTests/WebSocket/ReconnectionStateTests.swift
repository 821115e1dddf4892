@testable import GodwitCore
import Testing

@Suite("W4 the decisions of a reconnecting socket")
struct ReconnectionStateTests {
    private final class Connection: Sendable {}

    private static let lost = NetworkError(.transport(.connectionLost("gone")), phase: .receiving)

    private func state(limit: Int = 2) -> ReconnectionState<Connection> {
        ReconnectionState(OutgoingQueue(limit: limit, overflow: .fail), settledAfter: .seconds(10))
    }

    private func opened(_ state: inout ReconnectionState<Connection>) -> Connection {
        let connection = Connection()
        let isOpen = state.connected(connection)
        #expect(isOpen)
        while state.nextMessage(for: connection) != nil { state.finishMessage(isSent: true) }
        return connection
    }

    @Test("W4 messages are kept until the connection has sent those before them")
    func keeping() throws {
        var state = state()
        let connection = Connection()
        let first = try state.route(.text("a"))
        _ = state.connected(connection)
        var sent = [state.nextMessage(for: connection)]
        let second = try state.route(.text("b"))
        #expect(first == nil && second == nil)
        for _ in 0..<2 {
            state.finishMessage(isSent: true)
            sent.append(state.nextMessage(for: connection))
        }
        #expect(sent == [.text("a"), .text("b"), nil])
        let third = try state.route(.text("c"))
        #expect(third === connection)
    }

    @Test("W4 after a failed send nothing more goes over that connection")
    func failedSend() throws {
        var state = state(limit: 1)
        let connection = opened(&state)
        try state.sendFailed(.text("a"), over: connection)
        let error = #expect(throws: NetworkError.self) { _ = try state.route(.text("b")) }
        #expect(error?.kind == .transport(.cannotSendBody("1 messages wait for a connection already")))
    }

    @Test("W4 failures are counted in a row; a connection that lasted restarts the count")
    func failures() {
        var state = state()
        var counts: [Int] = []
        for (isOpened, lifetime) in [(false, 60), (false, 60), (true, 9), (true, 10), (false, 1)] {
            if isOpened { _ = opened(&state) }
            counts.append(state.disconnected(after: .seconds(lifetime)))
            state.wait(.seconds(1), after: Self.lost)
            state.connect()
        }
        #expect(counts == [1, 2, 3, 1, 2])
        #expect("\(state.observed)" == "connecting(attempt: 3)")
    }

    @Test("W4 a connection is closed by the close, or rejected if it comes later; a second close does nothing")
    func closing() {
        var state = state()
        let connection = opened(&state)
        let last = state.close(nil)
        #expect(last?.connection === connection)
        #expect(last?.reason.kind == .socketClosed(code: .normalClosure, reason: ""))
        let (second, isLate) = (state.close(Self.lost) == nil, !state.connected(Connection()))
        #expect(second && isLate)
        state.connect()
        state.wait(.seconds(1), after: Self.lost)
        #expect("\(state.observed)" == "closed(nil)")
        #expect(throws: NetworkError.self) { _ = try state.route(.text("late")) }
    }
}
