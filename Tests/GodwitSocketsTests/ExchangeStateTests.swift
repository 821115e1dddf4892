import GodwitCore
import Testing

@testable import GodwitSockets

@Suite("The states of an exchange")
struct ExchangeStateTests {
    private typealias Loss = ExchangeState.Loss

    private static let graceful = Resending.GoAway(lastStream: 5, code: Resending.GoAway.noError)

    /// An exchange whose request went out.
    private func sent() -> ExchangeState {
        var state = ExchangeState()
        state.dial()
        state.send()
        return state
    }

    private func lose(_ state: inout ExchangeState, _ loss: Loss, isRepeatable: Bool = false) -> ExchangeState.Next {
        state.lose(loss, .post, isRepeatable: isRepeatable)
    }

    @Test("T11 errors name the phase")
    func phases() {
        var state = ExchangeState()
        #expect(state.errorPhase == .connecting && state.isWaiting)
        state.dial()
        #expect(state.errorPhase == .connecting && state.isWaiting)
        state.send()
        #expect(state.errorPhase == .sending && !state.isWaiting)
        state.sent()
        #expect(state.errorPhase == .sending && state.phase == .awaiting)
        state.receive()
        #expect(state.errorPhase == .receiving && state.isReceiving)
        state.finish()
        #expect(state.isOver)
    }

    @Test("T11 an event that comes too late changes nothing")
    func late() {
        var over = sent()
        over.finish()
        over.wait()
        over.dial()
        over.sent()
        over.receive()
        #expect(over.phase == .over)
        var receiving = sent()
        receiving.receive()
        receiving.sent()
        receiving.dial()
        #expect(receiving.phase == .receiving)
    }

    @Test(
        "T20 what is known of a loss decides whether the request is sent again, and on which connection",
        arguments: [
            // evidence, reused, repeatable, sent again, on a new connection
            (.refused(nil), false, false, true, true), (.refused(graceful), false, false, true, false),
            (.unread, true, false, true, true), (.expectationFailed, false, false, true, false),
            (.unknown, true, true, true, true), (.unknown, false, true, false, false),
        ] as [(Resending.Evidence, Bool, Bool, Bool, Bool)])
    func losses(_ evidence: Resending.Evidence, _ isReused: Bool, _ isRepeatable: Bool, _ again: Bool, _ isFresh: Bool)
    {
        var state = sent()
        let next = lose(&state, Loss(evidence: evidence, isReused: isReused), isRepeatable: isRepeatable)
        #expect(next == (again ? .again(isFresh: isFresh) : .fail))
        #expect(state.isWaiting == again && state.needsOwnConnection == isFresh)
        #expect(state.skipsExpectation == (evidence == .expectationFailed))
    }

    @Test("T20 a request that may have been processed and can't be repeated ends with the reason")
    func unrepeatable() {
        var state = sent()
        guard case .stop(let reason) = lose(&state, Loss(isReused: true)) else {
            Issue.record("a POST was sent twice")
            return
        }
        #expect(reason.contains("sending a POST again could repeat its effect"))
    }

    @Test("T11 a refused stream is sent again twice")
    func refused() {
        var state = sent()
        for count in 2...3 {
            #expect(lose(&state, Loss(evidence: .refused(nil))) == .again(isFresh: true))
            state.send()
            #expect(state.sendCount == count)
        }
        guard case .stop = lose(&state, Loss(evidence: .refused(nil))) else {
            Issue.record("sent a fourth time")
            return
        }
    }

    @Test("T11 a repeatable request is sent again once if a kept connection broke")
    func repeatable() {
        var state = sent()
        #expect(lose(&state, Loss(isReused: true), isRepeatable: true) == .again(isFresh: true))
        state.send()
        #expect(lose(&state, Loss(isReused: true), isRepeatable: true) == .fail)
    }

    @Test("T11 a kept connection that broke is replaced once in a call, and each sending again is counted")
    func earlierAttempts() {
        var first = sent()
        #expect(lose(&first, Loss(isReused: true), isRepeatable: true) == .again(isFresh: true))
        #expect(first.resendCount == 1)
        var second = ExchangeState(after: 2)
        second.dial()
        second.send()
        #expect(lose(&second, Loss(isReused: true), isRepeatable: true) == .fail)
        #expect(second.resendCount == 0)
    }

    @Test("T20 a connection that was given up for its silence is no loss, and after a shared one any other may be used")
    func givenUp() {
        var silent = sent()
        #expect(lose(&silent, Loss(evidence: .unread, isReused: true, isGivenUp: true), isRepeatable: true) == .fail)
        var shared = sent()
        #expect(lose(&shared, Loss(isReused: true, isShared: true), isRepeatable: true) == .again(isFresh: false))
    }

    @Test("T11 nothing is sent again after a byte of an answer, its head, a cancellation or the end")
    func finished() {
        var answered = sent()
        #expect(lose(&answered, Loss(evidence: .unread, isReused: true, isSilent: false), isRepeatable: true) == .fail)
        var cancelled = sent()
        cancelled.cancel()
        var receiving = sent()
        receiving.receive()
        var over = sent()
        over.finish()
        for var state in [cancelled, receiving, over] {
            #expect(lose(&state, Loss(evidence: .unread, isReused: true), isRepeatable: true) == .fail)
        }
    }
}
