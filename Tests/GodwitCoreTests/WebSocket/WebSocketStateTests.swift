@testable import GodwitCore
import Testing

@Suite("W1 the decisions of a WebSocket")
struct WebSocketStateTests {
    private static let lost = NetworkError(.transport(.connectionLost("gone")), phase: .receiving)
    private static let fault = NetworkError(.transport(.protocolViolation("bad frame")), phase: .receiving)

    private func text(_ read: WebSocketState.Read) -> String {
        switch read {
        case .message(.text(let text), let resumes): resumes ? "\(text), resume" : text
        case .message(.binary, _): "bytes"
        case .waiting: "waiting"
        case .ended(let error): "ended \(error.shortDescription)"
        case .broken(let error): "broken \(error.shortDescription)"
        case .canceled: "canceled"
        }
    }

    @Test("W1 a waiting reader gets a message directly; without one, messages wait in order")
    func readers() {
        var state = WebSocketState(receiveBuffer: 1 << 20)
        let waiting = state.read(isCanceled: false)
        #expect(text(waiting) == "waiting")
        let (direct, queued) = (state.receive(.text("a")).reader, state.receive(.text("b")).reader)
        #expect(direct != nil && queued == nil)
        _ = state.receive(.text("c"))
        let reads = (0..<3).map { _ in text(state.read(isCanceled: false)) }
        #expect(reads == ["b", "c", "waiting"])
    }

    @Test("W1 the peer is slowed above the buffer's size, until half of that has been read")
    func backPressure() {
        var state = WebSocketState(receiveBuffer: 300)
        let wantsMore = (0..<4).map { state.receive(.text("\($0)" + String(repeating: "x", count: 35))).wantsMore }
        #expect(wantsMore == [true, true, true, false])
        let reads = (0..<4).map { _ in text(state.read(isCanceled: false)).hasSuffix("resume") }
        #expect(reads == [false, false, true, false])
    }

    @Test("W1 once this side closes, unread messages don't slow the peer")
    func closing() {
        var state = WebSocketState(receiveBuffer: 0)
        let isFull = !state.receive(.text("a")).wantsMore
        #expect(isFull)
        let first = state.close()
        #expect(first?.sendsFrame == true && first?.resumesReading == true)
        let second = state.close()
        #expect(second?.sendsFrame == false && second?.resumesReading == false)
        let isFullAgain = !state.receive(.text("b")).wantsMore
        #expect(!isFullAgain)
        let ended = state.end(Self.lost)
        #expect(ended?.closers.count == 2)
        let third = state.close()
        #expect(third == nil)
        #expect(state.isClosing)
    }

    @Test("W1 a protocol violation is reported after the messages before it")
    func fault() {
        var state = WebSocketState(receiveBuffer: 1 << 20)
        let isDeferred = state.receiveFault(Self.fault)
        #expect(!isDeferred)
        _ = state.receive(.text("a"))
        let isDeferredAgain = state.receiveFault(Self.fault)
        #expect(isDeferredAgain)
        let reads = (0..<2).map { _ in text(state.read(isCanceled: false)) }
        #expect(reads == ["a", "broken \(Self.fault.shortDescription)"])
    }

    @Test("W1 the first error ends the socket; a peer's close frame comes before a lost connection")
    func reasons() {
        var state = WebSocketState(receiveBuffer: 1 << 20)
        #expect(state.reason(orElse: Self.lost).kind == Self.lost.kind)
        state.receiveClose(CloseContent(.goingAway, reason: "restart"))
        let reason = state.reason(orElse: Self.lost)
        #expect(reason.kind == .socketClosed(code: .goingAway, reason: "restart"))
        #expect(state.closeContent == nil)
        let (first, second) = (state.end(reason) != nil, state.end(Self.lost) != nil)
        #expect(first && !second)
        #expect(state.ending?.kind == reason.kind)
        #expect(state.closeContent == CloseContent(.goingAway, reason: "restart"))
        let read = text(state.read(isCanceled: true))
        #expect(read.hasPrefix("ended"))
    }

    @Test("W1 the end resumes every reader, ping and closer once")
    func waiters() throws {
        var state = WebSocketState(receiveBuffer: 1 << 20)
        _ = state.read(isCanceled: false)
        let (first, second) = (try state.startPing(), try state.startPing())
        #expect(first.id != second.id)
        let (finished, again) = (state.finishPing(first.id), state.finishPing(first.id))
        #expect(finished === first.pong && again == nil)
        _ = state.close()
        let waiting = state.end(Self.lost)
        let ended = try #require(waiting)
        #expect(ended.readers.count == 1 && ended.pings.count == 1 && ended.closers.count == 1)
        #expect(throws: NetworkError.self) { _ = try state.startPing() }
    }

    @Test("W1 a peer is silent if nothing came since a ping, unless the reader slows it")
    func silence() {
        var state = WebSocketState(receiveBuffer: 0)
        let start = state.activity
        #expect(state.isSilent(since: start))
        state.receiveActivity()
        #expect(!state.isSilent(since: start))
        _ = state.receive(.text("a"))
        #expect(!state.isSilent(since: state.activity))
    }
}
