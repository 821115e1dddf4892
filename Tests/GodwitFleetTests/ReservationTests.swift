import Godwit
@testable import GodwitFleet
import Testing

@Suite("Reservations of calls")
struct ReservationTests {
    @Test("G5 Calls of one process are distributed evenly, after a burst")
    func burst() {
        var rate = LocalRate()
        let limit = SharedRate.perSecond(10, burst: 3)
        let plan = rate.reserve(5, limit, horizon: .milliseconds(150), at: .seconds(1))
        #expect(plan.times == [.zero, .zero, .zero, .milliseconds(100)])
        #expect(plan.next == .milliseconds(200))
        #expect(rate.reserve(1, limit, horizon: .zero, at: .seconds(10)).times == [.zero])
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
        #expect(rate.reserve(9, .learned, horizon: .seconds(1), at: .zero).times == [.zero])
        #expect(rate.reserve(9, .learned, horizon: .seconds(1), at: .zero).next == .seconds(5))
        rate.apply(ServerLimit(pause: .seconds(9)), inFlight: 0, at: .zero)
        #expect(rate.reserve(1, .learned, horizon: .seconds(1), at: .seconds(6)).next == .seconds(3))
    }

    @Test("G5 Waiting calls get times in their order; one that would wait too long is refused, a canceled one leaves")
    func queue() {
        var queue = RateLimitQueue()
        let (first, mustAsk) = queue.add(until: .seconds(1))
        #expect(mustAsk)
        let (second, mustAskAgain) = queue.add(until: .seconds(9))
        #expect(!mustAskAgain)
        let (third, _) = queue.add(until: .seconds(1))
        #expect(queue.cancel(second.id)?.waiter === second.waiter)
        #expect(queue.cancel(second.id) == nil)
        let resumptions = queue.apply(
            Reservation(times: [.milliseconds(5)], next: .seconds(2)), from: .zero, tolerance: .zero,
            interval: .seconds(1), at: .zero, nil)
        #expect(resumptions.map { $0.waiter === first.waiter } == [true, false])
        guard case .at(.milliseconds(5)) = resumptions[0].turn, case .tooLong(.seconds(2), nil) = resumptions[1].turn
        else { return #expect(Bool(false)) }
        #expect(resumptions[1].waiter === third.waiter)
        #expect(queue.waiting.isEmpty)
    }

    @Test("G5 Times of a late reply are given up, and the calls keep their order")
    func lateReply() {
        var queue = RateLimitQueue()
        let (first, _) = queue.add(until: .seconds(9))
        let (second, _) = queue.add(until: .seconds(9))
        let resumptions = queue.apply(
            Reservation(times: [.zero, .milliseconds(90)], next: .milliseconds(100)), from: .seconds(1),
            tolerance: .milliseconds(30), interval: .zero, at: .milliseconds(1100), nil)
        #expect(resumptions.map { $0.waiter === first.waiter } == [true])
        guard case .at(.milliseconds(1090)) = resumptions[0].turn else { return #expect(Bool(false)) }
        #expect(queue.waiting.map(\.id) == [second.id])
        // It missed its time: it comes before those that came after it.
        let (again, _) = queue.add(until: .seconds(9), as: first.id)
        #expect(queue.waiting.map(\.id) == [again.id, second.id])
    }

    @Test("G5 What is left of a limit leaves the share of the absent processes")
    func rest() {
        #expect(SharedRate.perSecond(80, burst: 16).rest(for: 6, without: 2) == .perSecond(60, burst: 12))
        #expect(SharedRate.perSecond(80, burst: 16).rest(for: 6, without: 0) == .perSecond(80, burst: 16))
    }

    @Test("G5 The fastest reply places the server's times; a slower one is late by the difference")
    func serverClock() {
        var clock = ServerClock()
        let far = Duration.seconds(1_000_000)
        #expect(clock.time(of: far, sent: .seconds(1), received: .milliseconds(1050)) == .milliseconds(1050))
        // 200 ms later, and 80 ms slower.
        #expect(
            clock.time(of: far + .milliseconds(200), sent: .milliseconds(1200), received: .milliseconds(1330))
                == .milliseconds(1250))
        // A faster one.
        #expect(
            clock.time(of: far + .milliseconds(400), sent: .milliseconds(1400), received: .milliseconds(1410))
                == .milliseconds(1410))
        // The server's clock is set back by an hour, and forward again.
        #expect(
            clock.time(of: far - .seconds(3600), sent: .seconds(2), received: .milliseconds(2010))
                == .milliseconds(2010))
        #expect(clock.time(of: far, sent: .seconds(3), received: .milliseconds(3010)) == .milliseconds(3010))
    }
}
