import GodwitCore
import GodwitTesting
import Testing

@Suite("N2 debounce and throttle", .timeLimit(.minutes(15)))
struct DebouncedTests {
    struct Fault: Error {}

    private let clock = TestClock()

    @Test("N2 debounced work starts once its input is stable, and only with the latest")
    func debounce() async throws {
        let begun = Collected<String>()
        let search = Debounced<String, Int>(for: .seconds(1), clock: clock) { text in
            begun.append(text)
            return text.count
        }
        let first = Task { try await search("s") }
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(900))
        let second = Task { try await search("sw") }
        #expect(try await first.value == nil)
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(900))
        #expect(begun.values.isEmpty)
        clock.advance(by: .milliseconds(100))
        #expect(try await second.value == 2)
        #expect(begun.values == ["sw"])
        #expect(clock.sleeperCount == 0)
    }

    @Test("N2 a later call cancels running work, whose caller gets nil")
    func latestWins() async throws {
        let cancelled = Collected<Int>()
        let clock = clock
        let work = Debounced<Int, Int>(for: .zero) { number in
            guard number == 1 else { return number }
            do {
                try await clock.sleep(for: .seconds(60))
            } catch {
                cancelled.append(number)
                throw error
            }
            return number
        }
        let first = Task { try await work(1) }
        try await clock.waitForSleepers()
        #expect(try await work(2) == 2)
        #expect(try await first.value == nil)
        #expect(cancelled.values == [1])
    }

    @Test("N2 errors of debounced work reach the latest caller, and canceling a caller cancels its work")
    func failures() async throws {
        let failing = Debounced<Int, Int>(for: .zero) { _ in throw Fault() }
        await #expect(throws: Fault.self) { try await failing(1) }
        let waiting = Debounced<Int, Int>(for: .seconds(1), clock: clock) { $0 }
        let task = Task { try await waiting(1) }
        try await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("N2 after canceling debounced work, its caller gets nil")
    func cancel() async throws {
        let work = Debounced<Int, Int>(for: .seconds(1), clock: clock) { $0 }
        let task = Task { try await work(1) }
        try await clock.waitForSleepers()
        work.cancel()
        #expect(try await task.value == nil)
    }

    @Test("N2 throttled work starts immediately, then at most once per interval, with the latest input")
    func throttle() async throws {
        let begun = Collected<Int>()
        let save = Throttled<Int, Int>(to: .seconds(2), clock: clock) { number in
            begun.append(number)
            return number
        }
        #expect(try await save(1) == 1)
        let second = Task { try await save(2) }
        try await clock.waitForSleepers()
        let third = Task { try await save(3) }
        #expect(try await second.value == nil)
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1999))
        #expect(begun.values == [1])
        clock.advance(by: .milliseconds(1))
        #expect(try await third.value == 3)
        clock.advance(by: .seconds(5))
        #expect(try await save(4) == 4)
        #expect(begun.values == [1, 3, 4])
    }

    @Test("N2 throttled work that finishes after later work returns nil")
    func overtaken() async throws {
        let clock = clock
        let slow = TestClock()
        let work = Throttled<Int, Int>(to: .seconds(1), clock: clock) { number in
            if number == 1 { try await slow.sleep(for: .seconds(1)) }
            return number
        }
        let first = Task { try await work(1) }
        try await slow.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await work(2) == 2)
        slow.advance(by: .seconds(1))
        #expect(try await first.value == nil)
    }

    @Test("N2 concurrent calls produce at least one result, and every caller returns")
    func crowd() async throws {
        for _ in 0..<50 {
            let work = Debounced<Int, Int>(for: .zero) { number in
                await Task.yield()
                return number
            }
            let results = try await (0..<20).concurrentMap(limit: 20) { try await work($0) }
            #expect(results.count == 20)
            #expect(results.contains { $0 != nil })
        }
    }
}
