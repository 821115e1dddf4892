import GodwitCore
import GodwitURLSession
import Testing

@Suite("Deadlines of a URLSession exchange", .timeLimit(.minutes(15)))
struct DeadlinesTests {
    private let start = SuspendingClock.now

    private func deadlines(
        connect: Duration = .seconds(2), inactivity: Duration = .seconds(3), total: Duration? = nil
    ) -> Deadlines {
        var timeouts = Timeouts()
        timeouts.connect = connect
        timeouts.inactivity = inactivity
        timeouts.total = total
        return Deadlines(timeouts, at: start)
    }

    private func after(_ seconds: Double) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test("T4 before the first byte, connecting and silence have one limit: their sum")
    func before() {
        let deadlines = deadlines()
        #expect(deadlines.next(after: start) == after(5))
        #expect(deadlines.expired(at: after(4.9)) == nil)
        #expect(deadlines.expired(at: after(5)) == .inactivity)
    }

    @Test("T4 after a byte, silence alone counts, from the last one")
    func moved() {
        var deadlines = deadlines()
        deadlines.moved(at: after(1))
        #expect(deadlines.next(after: after(1)) == after(4))
        #expect(deadlines.expired(at: after(3.9)) == nil)
        #expect(deadlines.expired(at: after(4)) == .inactivity)
        deadlines.moved(at: after(3.9))
        #expect(deadlines.expired(at: after(6.8)) == nil)
    }

    @Test("T4 the total has its own limit, whatever is transferred")
    func total() {
        var deadlines = deadlines(total: .milliseconds(2500))
        deadlines.moved(at: after(2))
        #expect(deadlines.next(after: after(2)) == after(2.5))
        #expect(deadlines.expired(at: after(2.4)) == nil)
        #expect(deadlines.expired(at: after(2.5)) == .total)
    }

    @Test("T4 a slow reader isn't inactive, but is within the total limit")
    func held() {
        var deadlines = deadlines(total: .seconds(100))
        deadlines.moved(at: after(1))
        deadlines.hold()
        #expect(deadlines.expired(at: after(50)) == nil)
        #expect(deadlines.next(after: after(50)) == after(53))
        #expect(deadlines.expired(at: after(100)) == .total)
        deadlines.release(at: after(60))
        #expect(deadlines.expired(at: after(62)) == nil)
        #expect(deadlines.expired(at: after(63)) == .inactivity)
    }

    @Test("T4 extreme durations neither trap nor end in the past")
    func bounds() {
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
        let far = deadlines(connect: longest, inactivity: longest, total: longest)
        #expect(far.expired(at: after(1_000_000)) == nil)
        #expect(far.next(after: start) > after(1_000_000))
        #expect(deadlines(total: .seconds(-1)).expired(at: start) == .total)
    }
}
