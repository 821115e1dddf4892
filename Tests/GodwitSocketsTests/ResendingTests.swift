import GodwitCore
import GodwitTesting
import Testing

@testable import GodwitSockets

@Suite("What is sent again")
struct ResendingTests {
    private static let graceful = Resending.GoAway(lastStream: 5, code: 0)

    /// How often a request is sent again if each sending fails in the same way.
    private func resends(_ evidence: Resending.Evidence, isRepeatable: Bool = false) -> Int {
        var resending = Resending()
        for _ in 0..<1_000 {
            guard resending.decide(evidence, method: "POST", isRepeatable: isRepeatable) == .again else { break }
        }
        return resending.count
    }

    @Test("T11 what was not processed is sent again, a bounded number of times, whatever the method")
    func bounds() {
        #expect(resends(.refused(nil)) == 2)
        #expect(resends(.refused(Self.graceful)) == 100)
        #expect(resends(.refused(Resending.GoAway(lastStream: 0, code: 0))) == 1)
        #expect(resends(.refused(Resending.GoAway(lastStream: 9, code: 2))) == 1)
        #expect(resends(.unread) == 6)
        #expect(resends(.expectationFailed) == 1)
    }

    @Test(
        "T11 what earlier attempts of the call sent counts for the limits",
        arguments: [
            (.refused(nil), 1, 1), (.refused(nil), 2, 0), (.refused(nil), .max, 0),
            (.refused(Resending.GoAway(lastStream: 0, code: 0)), 1, 0), (.refused(graceful), 3, 97),
            (.expectationFailed, 2, 1), (.unread, 2, 6),
        ] as [(Resending.Evidence, Int, Int)])
    func earlier(_ evidence: Resending.Evidence, _ sendings: Int, _ expected: Int) {
        var resending = Resending(after: sendings)
        while resending.decide(evidence, method: "GET", isRepeatable: true) == .again {}
        #expect(resending.count == expected)
    }

    @Test("T23 an answer to a proxy doesn't use up what a broken connection may need")
    func challenged() {
        var resending = Resending()
        for _ in 0..<2 { #expect(resending.decide(.challenged, method: "POST", isRepeatable: false) == .again) }
        #expect(resending.count == 0)
        var state = ExchangeState()
        state.dial()
        state.send()
        let loss = ExchangeState.Loss(evidence: .challenged, isSilent: false)
        #expect(state.lose(loss, .post, isRepeatable: false) == .again(isFresh: false))
        state.cancel()
        #expect(state.lose(loss, .post, isRepeatable: false) == .fail)
    }

    @Test("T11 ENHANCE_YOUR_CALM is not answered with another request", arguments: [false, true])
    func calm(_ isRepeatable: Bool) {
        #expect(resends(.refused(Resending.GoAway(lastStream: 9, code: 11)), isRepeatable: isRepeatable) == 0)
    }

    @Test("T11 what may have been processed is sent again only if that is safe")
    func unknown() {
        var resending = Resending()
        let decision = resending.decide(.unknown, method: "PATCH", isRepeatable: false)
        guard case .stop(let reason) = decision else {
            Issue.record("sent again")
            return
        }
        #expect(reason.contains("sending a PATCH again could repeat its effect"))
        let repeatable = resending.decide(.unknown, method: "PUT", isRepeatable: true)
        #expect(repeatable == .again)
    }
}
