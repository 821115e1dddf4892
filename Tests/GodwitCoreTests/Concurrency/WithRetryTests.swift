import GodwitCore
import GodwitTesting
import Testing

@Suite("N3 retrying any operation", .timeLimit(.minutes(15)))
struct WithRetryTests {
    struct Fault: Error, Equatable {
        var number: Int
    }

    private let clock = TestClock()

    @Test("N3 a successful operation runs once, without a wait")
    func success() async {
        #expect(await withRetry(clock: clock) { attempt in attempt } == 1)
        #expect(clock.now.offset == .zero)
    }

    @Test("N3 a failing operation is repeated after growing waits, and its last error is thrown, typed")
    func exhausted() async throws {
        let attempts = Collected<Int>()
        let clock = clock
        let backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(3))
        let task = Task {
            await outcome {
                () async throws(Fault) -> Int in
                try await withRetry(attempts: 4, backoff: backoff, clock: clock, using: Largest()) {
                    attempt async throws(Fault) -> Int in
                    attempts.append(attempt)
                    throw Fault(number: attempt)
                }
            }
        }
        var waits: [Duration] = []
        for _ in 1...3 {
            try await clock.waitForSleepers()
            waits.append(clock.advanceToNextSleeper() ?? .zero)
        }
        #expect(await task.value == .failure(Fault(number: 4)))
        #expect(attempts.values == [1, 2, 3, 4])
        #expect(waits.map { ($0 / .seconds(1)).rounded() } == [1, 2, 3])
    }

    @Test("N3 it stops at the first success")
    func secondAttempt() async throws {
        let backoff = Backoff(base: .zero)
        let value = try await withRetry(attempts: 5, backoff: backoff, clock: clock) {
            (attempt: Int) async throws(Fault) -> Int in
            if attempt < 3 { throw Fault(number: attempt) }
            return attempt
        }
        #expect(value == 3)
    }

    @Test("N3 a permanent error is thrown immediately", arguments: [NetworkError.Kind.notFound, .cancelled])
    func permanent(kind: NetworkError.Kind) async {
        let attempts = Collected<Int>()
        let error = await failure { () async throws(NetworkError) -> Int in
            try await withRetry(clock: clock) { attempt async throws(NetworkError) -> Int in
                attempts.append(attempt)
                throw NetworkError(kind, phase: .sending)
            }
        }
        #expect(error?.kind == kind)
        #expect(attempts.values == [1])
    }

    @Test("N3 the caller decides what is retryable, and fewer than one attempt count as one")
    func predicate() async {
        for (attempts, expected) in [(5, 2), (0, 1), (-1, 1)] {
            let outcome = await outcome { () async throws(Fault) -> Int in
                try await withRetry(
                    attempts: attempts, backoff: Backoff(base: .zero), clock: clock, when: { $0.number < 2 }
                ) { attempt async throws(Fault) -> Int in throw Fault(number: attempt) }
            }
            #expect(outcome == .failure(Fault(number: expected)))
        }
    }

    @Test("N3 the wait is at least the server's Retry-After")
    func retryAfter() async throws {
        let clock = clock
        let task = Task {
            try await withRetry(backoff: Backoff(base: .zero), clock: clock) {
                attempt async throws(NetworkError) -> Int in
                if attempt == 1 { throw NetworkError(.rateLimited(retryAfter: .seconds(30)), phase: .validating) }
                return attempt
            }
        }
        try await clock.waitForSleepers()
        #expect(clock.advanceToNextSleeper() == .seconds(30))
        #expect(try await task.value == 2)
    }

    @Test(
        "N3 M4 a Retry-After beyond the bound is thrown without a wait", arguments: [Duration.seconds(60), .seconds(5)])
    func tooLong(_ bound: Duration) async throws {
        for asked in [bound + .seconds(1), .seconds(31_536_000)] {
            let attempts = Collected<Int>()
            let error = await failure { () async throws(NetworkError) -> Int in
                try await withRetry(backoff: Backoff(base: .zero), longestRetryAfter: bound, clock: clock) {
                    attempt async throws(NetworkError) -> Int in
                    attempts.append(attempt)
                    throw NetworkError(.rateLimited(retryAfter: asked), phase: .validating)
                }
            }
            #expect(error?.suggestedRetryDelay == asked && attempts.values == [1])
        }
        #expect(clock.now.offset == .zero)
    }

    @Test("N3 cancellation ends the wait immediately, with the operation's kind of error")
    func cancellation() async throws {
        let clock = clock
        let network = Task {
            await outcome { () async throws(NetworkError) -> Int in
                try await withRetry(clock: clock, using: Largest()) { _ async throws(NetworkError) -> Int in
                    throw NetworkError(.server(status: 503), phase: .validating)
                }
            }
        }
        try await clock.waitForSleepers()
        network.cancel()
        guard case .failure(let error) = await network.value else {
            Issue.record("nothing was thrown")
            return
        }
        #expect(error.kind == .cancelled)

        let any = Task {
            try await withRetry(clock: clock, using: Largest()) { number async throws -> Int in
                throw Fault(number: number)
            }
        }
        try await clock.waitForSleepers()
        any.cancel()
        await #expect(throws: CancellationError.self) { try await any.value }
    }
}

/// Draws the largest number each time, so that every wait is the longest there is.
private struct Largest: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
}

private func outcome<Value, Failure: Error>(
    _ operation: () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    do throws(Failure) {
        return .success(try await operation())
    } catch {
        return .failure(error)
    }
}
