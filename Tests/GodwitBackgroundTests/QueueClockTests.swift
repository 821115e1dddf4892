#if os(Linux)
import Godwit
import GodwitBackground
import GodwitTesting
import GodwitTransferDaemon
import Synchronization
import TestSupport
import Testing

@Suite("B8 the clock for deadlines")
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

    @Test("B8 while the machine runs its uptime counts, whatever the date")
    func timeOfDay() {
        let set = passed(reading("a", 60, 30), reading("a", 120, Self.noon), reading("a", 130, Self.noon + 10))
        #expect(set == 70)
        #expect(passed(reading("a", 0, Self.noon), reading("a", 5, 0), reading("a", 9, Self.noon * 2)) == 9)
    }

    @Test("B8 time while the machine is off is measured by the date")
    func restart() {
        #expect(passed(reading("a", 100, Self.noon), reading("b", 60, Self.noon + Self.day)) == Self.day)
        // The clock was set back a little: what is up is up.
        #expect(passed(reading("a", 100, Self.noon), reading("b", 60, Self.noon - 5)) == 60)
    }

    @Test("B8 an implausible date is ignored, so that jobs rather live longer")
    func nonsense() {
        #expect(passed(reading("a", 9, 12), reading("b", 60, Self.noon)) == 60)
        #expect(passed(reading("a", 9, Self.noon), reading("b", 60, 70)) == 60)
        #expect(passed(reading("a", 9, Self.noon), reading("b", 60, Self.noon * 2)) == 60)
        #expect(passed(reading("a", 9, Self.noon), reading("b", 60, 70), reading("b", 90, Self.noon)) == 90)
    }

    @Test("B8 the clock never goes back, and starts as the date")
    func monotonic() {
        #expect(QueueClock(reading("a", 5, Self.noon)).time == Self.noon)
        #expect(passed(reading("a", 100, Self.noon), reading("a", 50, Self.noon)) == 0)
        #expect(passed(reading("a", 100, Self.noon), reading("b", -5, Self.noon)) == 0)
        #expect(QueueClock(reading("a", 0, -1e300)).time == 0)
        #expect(QueueClock(reading("a", 0, .infinity)).time == 1e11)
    }

    @Test("B8 the machine's clocks are plausible")
    func real() {
        let (one, two) = (Reading.now, Reading.now)
        #expect(one.boot == two.boot)
        #expect(one.uptime > 0 && two.uptime >= one.uptime)
        #expect(one.wall > 1_700_000_000)
    }

    @Test("B8 a job handed over in 1970 isn't late when the date is set, and is late at its deadline")
    func job() async throws {
        let (bench, server) = (Bench(), try await MockServer { route in route.any("*").reply(.hang) })
        let clock = Mutex(reading("a", 60, 30))
        func set(_ reading: Reading) { clock.withLock { $0 = reading } }
        func serving(_ work: (BackgroundSession) async throws -> Void) async throws {
            try await bench.serving {
                $0.reading = { clock.withLock(\.self) }
            } _: {
                try await work(bench.session())
            }
        }
        let id = BackgroundJob.ID()
        func resume(_ session: BackgroundSession) async throws -> BackgroundJob.State? {
            try await session.pause(id)
            try await eventually { try await session.state(of: id) == .paused }
            try await session.resume(id)
            return try await session.state(of: id)
        }
        try await serving { session in
            try await session.download(bench.request(server, "/a"), to: bench.path("a")) {
                $0.id = id
                $0.timeLimit = .seconds(Self.day)
            }
            set(reading("a", 120, Self.noon))
            let state = try await resume(session)
            #expect(state == .running)
        }
        // Restarted without a clock, which is set later.
        set(reading("b", 10, 20))
        try await serving { session in
            let state = try await resume(session)
            #expect(state == .running)
            set(reading("b", 20, Self.noon + 100))
            let later = try await resume(session)
            #expect(later == .running)
        }
        // Off for longer than the job has.
        set(reading("c", 10, Self.noon + 2 * Self.day))
        try await serving { session in
            guard case .failed(let failure) = try await session.nextEvent()?.outcome else {
                Issue.record("it goes on")
                return
            }
            #expect(failure.label == "timed_out.total")
        }
    }
}
#endif
