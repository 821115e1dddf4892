#if os(Linux)
import GodwitTransferDaemon
import Testing

@Suite("B8 the clock that deadlines go by")
struct QueueClockTests {
    private static let day = 86_400.0
    /// Some day in 2026.
    private static let noon = 1_795_000_000.0

    private typealias Reading = QueueClock.Reading

    private func reading(_ boot: String, _ uptime: Double, _ wall: Double) -> Reading {
        Reading(boot: boot, uptime: uptime, wall: wall)
    }

    /// What passes by the clock from the first of these readings to the last.
    private func passed(_ readings: Reading...) -> Double {
        var clock = QueueClock(readings[0])
        let start = clock.time
        for reading in readings.dropFirst() { clock.advance(to: reading) }
        return clock.time - start
    }

    @Test("B8 within one start of the machine its uptime counts, whatever becomes of the time of day")
    func timeOfDay() {
        let set = passed(reading("a", 60, 30), reading("a", 120, Self.noon), reading("a", 130, Self.noon + 10))
        #expect(set == 70)
        #expect(passed(reading("a", 0, Self.noon), reading("a", 5, 0), reading("a", 9, Self.noon * 2)) == 9)
    }

    @Test("B8 the time that the machine was off counts by the time of day")
    func restart() {
        #expect(passed(reading("a", 100, Self.noon), reading("b", 60, Self.noon + Self.day)) == Self.day)
        // The clock was set back a little: what is up is up.
        #expect(passed(reading("a", 100, Self.noon), reading("b", 60, Self.noon - 5)) == 60)
    }

    @Test("B8 a time of day that makes no sense is not counted: a job rather lives longer")
    func nonsense() {
        #expect(passed(reading("a", 9, 12), reading("b", 60, Self.noon)) == 60)
        #expect(passed(reading("a", 9, Self.noon), reading("b", 60, 70)) == 60)
        #expect(passed(reading("a", 9, Self.noon), reading("b", 60, Self.noon * 2)) == 60)
        #expect(passed(reading("a", 9, Self.noon), reading("b", 60, 70), reading("b", 90, Self.noon)) == 90)
    }

    @Test("B8 the clock never goes back, and starts as the time of day")
    func monotonic() {
        #expect(QueueClock(reading("a", 5, Self.noon)).time == Self.noon)
        #expect(passed(reading("a", 100, Self.noon), reading("a", 50, Self.noon)) == 0)
        #expect(passed(reading("a", 100, Self.noon), reading("b", -5, Self.noon)) == 0)
        #expect(QueueClock(reading("a", 0, -1e300)).time == 0)
        #expect(QueueClock(reading("a", 0, .infinity)).time == 1e11)
    }

    @Test("B8 the machine's own clocks make sense")
    func real() {
        let (one, two) = (Reading.now, Reading.now)
        #expect(one.boot == two.boot)
        #expect(one.uptime > 0 && two.uptime >= one.uptime)
        #expect(one.wall > 1_700_000_000)
    }
}
#endif
