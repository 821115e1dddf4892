@testable import GodwitCore
import Testing

@Suite("R4 the decisions of an event source")
struct EventSourceStateTests {
    private static let lost = NetworkError(.transport(.connectionLost("gone")), phase: .receiving)

    private func state(_ method: HTTPMethod = .get, _ change: (inout EventSource.Options) -> Void = { _ in }) throws
        -> EventSourceState
    {
        var options = EventSource.Options()
        options.backoff = Backoff(base: .zero)
        change(&options)
        var state = EventSourceState(options)
        state.willSend(HTTPRequest(method: method, url: try HTTPURL("https://example.com/")))
        return state
    }

    private func disconnect(_ state: inout EventSourceState, _ error: NetworkError?, at now: Duration = .zero) {
        var generator = SystemRandomNumberGenerator()
        state.disconnected(error, at: now, using: &generator)
    }

    private func text(_ step: EventSourceState.Step) -> String {
        switch step {
        case .connect: "connect"
        case .read: "read"
        case .event(let event): "event \(event.data)"
        case .wait(let delay, let error): "wait \(delay) \(error?.shortDescription ?? "-")"
        case .end(let error): "end \(error?.shortDescription ?? "-")"
        case .none: "none"
        }
    }

    @Test("R4 a connection is read until it ends, then made again after the server's delay")
    func reconnecting() throws {
        var state = try state()
        let step1 = text(state.step())
        #expect(step1 == "connect")
        state.connected(at: .zero)
        let step2 = text(state.step())
        #expect(step2 == "read")
        state.receive(Data("retry: 3000\nid: 7\ndata: a\n\ndata: b\n\n".utf8))
        let steps = (0..<3).map { _ in text(state.step()) }
        #expect(steps == ["event a", "event b", "read"])
        #expect(state.lastEventID == "7")
        disconnect(&state, nil, at: .seconds(1))
        let next = (0..<2).map { _ in text(state.step()) }
        #expect(next == ["wait \(Duration.seconds(3)) -", "connect"])
    }

    @Test("R4 M4 however long the server asks to wait, the next attempt follows after the bound")
    func bound() throws {
        let year = "31536000"
        let head = HTTPResponseHead(status: .serviceUnavailable, fields: [.retryAfter: year])
        let refusal = NetworkError(.server(status: 503), phase: .validating, response: head)
        var state = try state {
            $0.statuses = [503]
            $0.longestRetryAfter = .seconds(20)
        }
        disconnect(&state, refusal)
        let first = text(state.step())
        #expect(first == "wait \(Duration.seconds(20)) \(refusal.shortDescription)")
        state.connected(at: .zero)
        state.receive(Data("retry: \(year)000\n\n".utf8))
        let read = text(state.step())
        #expect(read == "read")
        disconnect(&state, nil)
        let second = text(state.step())
        #expect(second == "wait \(Duration.seconds(20)) -")
    }

    @Test("R4 what a server answers while it restarts ends no source that was open, but one that never was")
    func restart() throws {
        for status in [502, 503, 504] {
            let head = HTTPResponseHead(status: HTTPStatus(status) ?? .ok, fields: [:])
            let refusal = NetworkError(.server(status: status), phase: .validating, response: head)
            func outcome(
                isOpen: Bool, _ configure: (inout EventSource.Options) -> Void = { _ in }
            ) throws -> String {
                var state = try self.state(.get, configure)
                if isOpen {
                    state.connected(at: .zero)
                    disconnect(&state, nil)
                    _ = state.step()
                }
                disconnect(&state, refusal)
                return String(text(state.step()).prefix(4))
            }
            #expect(try outcome(isOpen: true) == "wait")
            #expect(try outcome(isOpen: false) == "end ")
            #expect(try outcome(isOpen: true) { $0.reconnectionStatuses = [] } == "end ")
        }
    }

    @Test("R4 the end is reported once")
    func ending() throws {
        var state = try state()
        state.end(nil)
        let steps = (0..<3).map { _ in text(state.step()) }
        #expect(steps == ["end -", "none", "none"])
    }

    @Test("R4 an unsafe request, and an error that no connection would fix, end the events")
    func unrecoverable() throws {
        var post = try state(.post)
        post.connected(at: .zero)
        disconnect(&post, Self.lost)
        let step3 = text(post.step())
        #expect(step3 == "end \(Self.lost.shortDescription)")
        var get = try state()
        let decoding = NetworkError(.tooLarge(limit: 1), phase: .receiving)
        disconnect(&get, decoding)
        let step4 = text(get.step())
        #expect(step4 == "end \(decoding.shortDescription)")
    }

    @Test("R4 the failure limit counts attempts in a row that did not connect", arguments: [-1, 0, 2])
    func failureLimit(limit: Int) throws {
        var state = try state { $0.failureLimit = limit }
        for _ in 0..<2 {
            for _ in 0..<max(0, limit) {
                disconnect(&state, Self.lost)
                let step5 = text(state.step())
                #expect(step5.hasPrefix("wait"))
            }
            state.connected(at: .zero)
            disconnect(&state, Self.lost)
            let step6 = text(state.step())
            #expect(step6.hasPrefix("wait"))
        }
        for _ in 0..<max(0, limit) { disconnect(&state, Self.lost) }
        disconnect(&state, Self.lost)
        let step7 = text(state.step())
        #expect(step7.hasPrefix("end"))
    }

    @Test("R4 an event above the limit ends the events")
    func tooLarge() throws {
        var state = try state { $0.eventLimit = 8 }
        state.connected(at: .zero)
        state.receive(Data("data: 0123456789\n\n".utf8))
        let step8 = text(state.step())
        #expect(step8.hasPrefix("end"))
    }
}
