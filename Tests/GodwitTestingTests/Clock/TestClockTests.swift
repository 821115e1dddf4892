import GodwitTesting
import Testing

@Suite("X5 TestClock", .timeLimit(.minutes(15)))
struct TestClockTests {
    @Test("X5 the clock moves only when advanced, and never backward")
    func stands() {
        let clock = TestClock(now: .init(offset: .seconds(10)))
        #expect(clock.now.offset == .seconds(10))
        clock.advance(by: .milliseconds(500))
        #expect(clock.now.offset == .milliseconds(10_500))
        clock.advance(to: .init(offset: .seconds(1)))
        clock.advance(by: .seconds(-1))
        #expect(clock.now.offset == .milliseconds(10_500))
        #expect(clock.advanceToNextSleeper() == nil)
    }

    @Test("X5 a sleep until a past deadline returns immediately")
    func pastDeadline() async throws {
        let clock = TestClock()
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.sleeperCount == 0)
    }

    @Test("X5 a sleeper wakes at its deadline and not before")
    func wakes() async throws {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(2)) }
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1999))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(clock.sleeperCount == 0)
        try await task.value
    }

    @Test("X5 it advances from deadline to deadline, and wakes all of one deadline together")
    func run() async throws {
        let clock = TestClock()
        let tasks = [3, 1, 1].map { seconds in Task { try await clock.sleep(for: .seconds(seconds)) } }
        try await clock.waitForSleepers(count: 3)
        #expect(clock.advanceToNextSleeper() == .seconds(1))
        #expect(clock.sleeperCount == 1)
        #expect(clock.advanceToNextSleeper() == .seconds(2))
        #expect(clock.now.offset == .seconds(3))
        for task in tasks { try await task.value }
    }

    @Test("X5 a canceled sleeper wakes with CancellationError and is removed")
    func cancelled() async throws {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test("X5 cancellation ends a wait for sleepers")
    func cancelledWaiting() async {
        let clock = TestClock()
        let task = Task { try await clock.waitForSleepers() }
        task.cancel()
        await #expect(throws: WaitFailure.self) { try await task.value }
    }

    @Test("X5 it can be used as any clock with Duration")
    func existential() async throws {
        let clock = TestClock()
        let any: any Clock<Duration> = clock
        let task = Task { try await any.sleep(for: .seconds(5)) }
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        try await task.value
    }

    @Test(
        "X5 with random advances and cancellations each sleeper wakes once, never early, or is canceled",
        arguments: 0..<20)
    func random(seed: Int) async throws {
        let clock = TestClock()
        let ended = Counter()
        let count = 200
        let tasks = (0..<count).map { _ in
            let deadline = TestClock.Instant(offset: .milliseconds(Int.random(in: 0..<1000)))
            return Task {
                defer { ended.next() }
                try await clock.sleep(until: deadline)
                #expect(clock.now >= deadline)
            }
        }
        let canceller = Task { for task in tasks.shuffled().prefix(count / 3) { task.cancel() } }
        while clock.now.offset < .seconds(1) {
            clock.advance(by: .milliseconds(Int.random(in: 0..<50)))
            await Task.yield()
        }
        await canceller.value
        for task in tasks {
            if case .failure(let error) = await task.result { #expect(error is CancellationError) }
        }
        #expect(ended.value == count)
        #expect(clock.sleeperCount == 0)
    }

    @Test("X5 sleepers wake in the order of deadlines, then of arrival")
    func order() async throws {
        let clock = TestClock()
        let woken = Watched<[Int]>([])
        // Each falls asleep before the next begins; on one actor, tasks run in the order in which they are resumed.
        var tasks: [Task<Void, any Error>] = []
        for (number, seconds) in [2, 1, 2, 1, 3].enumerated() {
            tasks.append(
                Task { @MainActor in
                    try await clock.sleep(for: .seconds(seconds))
                    woken.update { $0.append(number) }
                })
            try await clock.waitForSleepers(count: number + 1)
        }
        for _ in 1...3 {
            let before = woken.value.count
            clock.advanceToNextSleeper()
            try await woken.wait { $0.count > before }
        }
        for task in tasks { try await task.value }
        #expect(woken.value.last == 4)
        #expect(Set(woken.value.prefix(2)) == [1, 3])
        #expect(Set(woken.value.dropFirst(2).prefix(2)) == [0, 2])
    }
}
