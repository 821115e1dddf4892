import CGodwitCurl
import GodwitCore
import Testing

@testable import GodwitCurl

@Suite("The states of an exchange")
struct ExchangeStateTests {
    private typealias Report = ExchangeState.Report

    /// An exchange that libcurl has.
    private func started() -> ExchangeState {
        var state = ExchangeState()
        state.start()
        return state
    }

    /// An exchange whose request went out.
    private func sent() -> ExchangeState {
        var state = started()
        #expect(send(&state) == .again)
        return state
    }

    private func send(
        _ state: inout ExchangeState, isRepeatable: Bool = false, lost: Report = Report(code: CURLE_OK)
    ) -> Resending.Decision {
        state.send(.post, isRepeatable: isRepeatable) { lost }
    }

    private func post(_ code: CURLcode, isReused: Bool = true, isRepeatable: Bool = false) -> Report {
        Report(code: code, method: .post, isRepeatable: isRepeatable, isReused: isReused)
    }

    @Test("T11 errors name the phase")
    func phases() {
        var state = ExchangeState()
        #expect(state.errorPhase == .connecting)
        state.start()
        #expect(state.errorPhase == .connecting && !state.isAwaitingResponse)
        #expect(send(&state) == .again)
        #expect(state.errorPhase == .sending && state.isAwaitingResponse)
        state.receive()
        #expect(state.errorPhase == .receiving && !state.isAwaitingResponse)
    }

    @Test("T12 an exchange waits until it leaves its queue")
    func waiting() {
        var state = ExchangeState()
        #expect(state.wait == nil)
        let limits = StartLimits(TimeLimits(Timeouts()), at: .current())
        state.wait(until: limits)
        #expect(state.wait == limits)
        state.start()
        #expect(state.wait == nil)
    }

    @Test("T11 success is the end, unless the server refused the stream")
    func success() {
        var state = sent()
        #expect(state.end(post(CURLE_OK)) == .finish)
        state.streamEnded(.refused(nil))
        #expect(state.end(post(CURLE_OK)) == .sendAgain)
    }

    @Test("T11 a refused stream is sent again twice, on a separate connection")
    func refused() {
        var state = sent()
        for count in 2...3 {
            state.streamEnded(.refused(nil))
            #expect(state.end(post(CURLE_HTTP2_STREAM)) == .sendAgain)
            #expect(state.needsOwnConnection)
            #expect(send(&state) == .again)
            #expect(state.sendCount == count)
            #expect(state.streamEnd == nil)
        }
        state.streamEnded(.refused(nil))
        guard case .fail(.transport(.connectionLost)) = state.end(post(CURLE_HTTP2_STREAM)) else {
            Issue.record("sent a fourth time")
            return
        }
    }

    @Test("T11 an unread request is sent again; one that may have been read fails")
    func unread() {
        for (leftUnread, isReused) in [(true, true), (false, true), (true, false)] {
            var state = sent()
            if leftUnread { state.leaveUnread() }
            let next = state.end(post(CURLE_RECV_ERROR, isReused: isReused))
            if leftUnread && isReused {
                #expect(next == .sendAgain && state.needsOwnConnection)
            } else {
                #expect(next != .sendAgain)
            }
        }
    }

    @Test("T20 only what libcurl sends again by itself is a repetition, and what was known before it is forgotten")
    func repetitions() {
        var state = sent()
        #expect(!state.isRepetition)
        state.leaveUnread()
        #expect(send(&state, lost: post(CURLE_OK)) == .again)
        #expect(state.isRepetition)
        #expect(send(&state, lost: post(CURLE_OK)) != .again)
        state.leaveUnread()
        #expect(state.end(post(CURLE_SEND_ERROR)) == .sendAgain)
        #expect(send(&state) == .again && !state.isRepetition)
    }

    @Test("T11 a repeatable request is sent again once if a kept connection broke")
    func repeatable() {
        var state = sent()
        #expect(state.end(post(CURLE_RECV_ERROR, isRepeatable: true)) == .sendAgain)
        #expect(!state.needsOwnConnection)
        #expect(send(&state) == .again)
        #expect(state.end(post(CURLE_RECV_ERROR, isRepeatable: true)) == .finish)
        for (code, isReused) in [(CURLE_RECV_ERROR, false), (CURLE_OPERATION_TIMEDOUT, true)] {
            var other = sent()
            #expect(other.end(post(code, isReused: isReused, isRepeatable: true)) == .finish)
        }
    }

    @Test("T11 nothing is sent again after an answer, a cancellation or a decision, or outside HTTP")
    func finished() {
        var answered = sent()
        answered.receive()
        #expect(answered.end(post(CURLE_RECV_ERROR, isRepeatable: true)) == .finish)
        var cancelled = sent()
        cancelled.cancel()
        #expect(cancelled.end(post(CURLE_RECV_ERROR, isRepeatable: true)) == .finish)
        var report = post(CURLE_RECV_ERROR, isRepeatable: true)
        report.isDecided = true
        var decided = sent()
        #expect(decided.end(report) == .finish)
        report.isDecided = false
        report.isHTTP = false
        var upgrade = sent()
        #expect(upgrade.end(report) == .finish)
    }

    @Test("T11 libcurl may not send again by itself what may have been processed")
    func unasked() {
        var state = sent()
        guard case .stop = send(&state, lost: post(CURLE_OK)) else {
            Issue.record("a POST was sent twice")
            return
        }
        #expect(state.sendCount == 1)
        #expect(send(&state, isRepeatable: true, lost: post(CURLE_OK)) == .again)
        #expect(state.sendCount == 2)
    }

    @Test("T14 417 sends the request once more without the expectation")
    func expectation() {
        var state = sent()
        state.failExpectation()
        #expect(state.skipsExpectation)
        var report = post(CURLE_WRITE_ERROR)
        report.isSilent = false
        #expect(state.end(report) == .sendAgain)
    }

    @Test("T12 an exchange avoids connections that were ended, at most three times")
    func detours() {
        var state = started()
        for _ in 0..<3 {
            state.meetEndedConnection()
            #expect(state.end(post(CURLE_ABORTED_BY_CALLBACK)) == .connectElsewhere)
        }
        state.meetEndedConnection()
        guard case .fail(.transport(.connectionLost)) = state.end(post(CURLE_ABORTED_BY_CALLBACK)) else {
            Issue.record("a fourth detour")
            return
        }
    }

    @Test("T11 a detour doesn't allow a second sending")
    func sentBeforeDetour() {
        var state = sent()
        state.meetEndedConnection()
        #expect(state.end(post(CURLE_ABORTED_BY_CALLBACK)) == .connectElsewhere)
        guard case .stop = send(&state, lost: post(CURLE_OK)) else {
            Issue.record("a POST was sent twice")
            return
        }
    }

    @Test("T12 an exchange without a descriptor starts again at most three times")
    func descriptors() {
        var state = started()
        state.lackDescriptor()
        #expect(state.end(post(CURLE_COULDNT_CONNECT)) == .makeRoom)
        #expect(state.end(post(CURLE_COULDNT_CONNECT)) == .finish)
        var report = post(CURLE_COULDNT_RESOLVE_HOST)
        report.lacksDescriptors = { true }
        for _ in 0..<2 { #expect(state.end(report) == .makeRoom) }
        #expect(state.end(report) == .fail(.transport(.tooManyOpenFiles)))
    }

    @Test("T13 a broken shared connection is abandoned, unless only the stream was refused")
    func broken() {
        var state = sent()
        #expect(state.leavesConnectionBroken(CURLE_HTTP2, nil))
        #expect(!state.leavesConnectionBroken(CURLE_HTTP2_STREAM, nil))
        #expect(state.leavesConnectionBroken(CURLE_WRITE_ERROR, .tooLarge(limit: 1)))
        state.streamEnded(.refused(nil))
        #expect(!state.leavesConnectionBroken(CURLE_HTTP2, nil))
    }
}
