import Godwit
@testable import GodwitFleet
import Testing

@Suite("Plans of calls")
struct SlotPlanTests {
    @Test("G5 Calls of one process are distributed evenly, after a burst")
    func burst() {
        var rate = LocalRate()
        let limit = SharedRate.perSecond(10, burst: 3)
        let plan = rate.reserve(5, limit, horizon: .milliseconds(150), at: .seconds(1))
        #expect(plan.slots == [.zero, .zero, .zero, .milliseconds(100)])
        #expect(plan.next == .milliseconds(200))
        #expect(rate.reserve(1, limit, horizon: .zero, at: .seconds(10)).slots == [.zero])
    }

    @Test("G5 A share is the limit divided by the number of processes")
    func share() {
        #expect(SharedRate.perSecond(80, burst: 16).share(of: 8) == .per(.seconds(1), 10, burst: 2))
        #expect(SharedRate.perSecond(80).share(of: 0) == .perSecond(80))
        for count in [0, -1, .infinity, -.infinity, .nan] as [Double] {
            #expect(SharedRate.perSecond(count).interval >= .microseconds(1) || count == .infinity)
        }
    }

    @Test("G5 A server's pause and allowance delay the calls of a process without Redis")
    func learned() {
        var rate = LocalRate()
        rate.apply(ServerLimit(remaining: 2, reset: .seconds(5)), inFlight: 1, at: .zero)
        #expect(rate.reserve(9, .learned, horizon: .seconds(1), at: .zero).slots == [.zero])
        #expect(rate.reserve(9, .learned, horizon: .seconds(1), at: .zero).next == .seconds(5))
        rate.apply(ServerLimit(pause: .seconds(9)), inFlight: 0, at: .zero)
        #expect(rate.reserve(1, .learned, horizon: .seconds(1), at: .seconds(6)).next == .seconds(3))
    }

    @Test("G5 Waiting calls get times in their order; one that would wait too long is refused, a canceled one leaves")
    func queue() {
        var queue = SlotQueue()
        let (first, mustAsk) = queue.add(until: .seconds(1), isFirst: false)
        #expect(mustAsk)
        let (second, mustAskAgain) = queue.add(until: .seconds(9), isFirst: false)
        #expect(!mustAskAgain)
        let (third, _) = queue.add(until: .seconds(1), isFirst: false)
        #expect(queue.cancel(second.id)?.waiter === second.waiter)
        #expect(queue.cancel(second.id) == nil)
        let resumptions = queue.apply(
            SlotPlan(slots: [.milliseconds(5)], next: .seconds(2)), interval: .seconds(1), at: .zero, nil)
        #expect(resumptions.map { $0.waiter === first.waiter } == [true, false])
        guard case .at(.milliseconds(5)) = resumptions[0].turn, case .tooLong(.seconds(2), nil) = resumptions[1].turn
        else { return #expect(Bool(false)) }
        #expect(resumptions[1].waiter === third.waiter)
        #expect(queue.waiting.isEmpty)
    }
}
