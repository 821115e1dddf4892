@testable import GodwitWire
import GodwitTesting
import Testing

@Suite struct BackoffTests {
    @Test("M4 the wait grows by the factor up to the cap")
    func growth() {
        let backoff = Backoff(base: .milliseconds(500), factor: 2, cap: .seconds(5))
        let ceilings = (1...6).map { backoff.ceiling(afterFailure: $0) }
        #expect(ceilings == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
        #expect(backoff.ceiling(afterFailure: 0) == .milliseconds(500))
        #expect(backoff.ceiling(afterFailure: -5) == .milliseconds(500))
    }

    @Test("M4 the delay is uniform between zero and the ceiling")
    func jitter() {
        var generator = SeededGenerator(seed: 4)
        let backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(60))
        let delays = (0..<4000).map { _ in backoff.delay(afterFailure: 3, using: &generator) / .seconds(1) }
        #expect(delays.allSatisfy { (0...4).contains($0) })
        let mean = delays.reduce(0, +) / 4000
        #expect((1.9...2.1).contains(mean))
        for quarter in 0..<4 {
            let share = delays.count { Int($0) == quarter }
            #expect((850...1150).contains(share), "quarter \(quarter) has \(share)")
        }
    }

    @Test("M4 the same generator gives the same delays")
    func determinism() {
        var (one, two) = (SeededGenerator(seed: 8), SeededGenerator(seed: 8))
        let backoff = Backoff()
        for count in 1...20 {
            #expect(backoff.delay(afterFailure: count, using: &one) == backoff.delay(afterFailure: count, using: &two))
        }
    }

    @Test(
        "M4 no backoff and no count overflows",
        arguments: [
            Backoff(), Backoff(base: .zero), Backoff(base: .seconds(-1)), Backoff(cap: .seconds(-1)),
            Backoff(cap: .seconds(Int64.max)),
            Backoff(base: .seconds(Int64.max), factor: .infinity, cap: .seconds(Int64.max)), Backoff(factor: .nan),
            Backoff(factor: -3),
            Backoff(factor: 0), Backoff(factor: 1.000_000_1), Backoff(base: .nanoseconds(1), factor: 1e308),
        ])
    func extremes(backoff: Backoff) {
        var generator = SeededGenerator(seed: 1)
        for count in [Int.min, -1, 0, 1, 2, 63, 64, 65, 1000, 1_000_000, .max] {
            let ceiling = backoff.ceiling(afterFailure: count)
            #expect(ceiling >= .zero && ceiling <= max(backoff.cap, .zero))
            let delay = backoff.delay(afterFailure: count, using: &generator)
            #expect(delay >= .zero && delay <= ceiling)
        }
    }

    @Test(
        "M4 a pause is the longer of one's own delay and what the server asks for, which is bounded",
        arguments: [
            // own, asked, bound, pause, too long
            (2, nil, 60, 2, false), (2, 1, 60, 2, false), (2, 5, 60, 5, false), (2, 60, 60, 60, false),
            (2, 61, 60, 60, true), (2, 31_536_000, 60, 60, true), (90, 61, 60, 90, true), (90, nil, 60, 90, false),
            (2, -5, 60, 2, false), (-2, nil, 60, 0, false), (2, 1, 0, 2, true), (2, 0, -1, 2, false),
            (0, .max, .max, .max, false),
        ] as [(Int64, Int64?, Int64, Int64, Bool)])
    func pause(_ own: Int64, _ asked: Int64?, _ bound: Int64, _ pause: Int64, _ isTooLong: Bool) {
        let decided = RetryPause(.seconds(own), asked: asked.map { .seconds($0) }, longest: .seconds(bound))
        #expect(decided.duration == .seconds(pause) && decided.isTooLong == isTooLong)
    }
}
