public import GodwitCore
import GodwitSupport

/// A clock that a test advances, for backoff, pings, expiry and anything else that sleeps.
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await refreshEvery(.seconds(60), clock: clock) }
/// try await clock.waitForSleepers()
/// clock.advance(by: .seconds(60))
/// ```
///
/// Sleeping tasks wake in the order of their deadlines, then in the order in which they went to sleep. A task that sleeps
/// again starts from the time to which the clock was advanced: for a series of pauses, call ``nextSleep(within:)`` for each,
/// or ``run(isolation:_:)`` for all. An ``ImmediateClock`` needs no advancing.
public final class TestClock: Clock, Sendable {
    /// A point in time, measured from the clock's start.
    public struct Instant: InstantProtocol, Sendable, Hashable {
        /// The time since the clock's start.
        public var offset: Duration

        /// Creates an instant from the time since the clock's start.
        ///
        /// - Parameter offset: The time since the clock's start; zero by default.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// The instant as a date: the offset after January 1, 2001, 00:00 UTC.
        ///
        /// ```swift
        /// let caching = Caching(store, now: { clock.now.date })           // ages as the clock advances
        /// ```
        public var date: Date {
            Date(timeIntervalSinceReferenceDate: offset / .seconds(1))
        }

        /// Returns a later instant, or an earlier one for a negative duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time until another instant; negative if it is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper: Sendable {
        let deadline: Instant
        let waiter = Waiter<Bool>()
    }

    private struct State: Sendable {
        var now: Instant
        /// In the order in which they wake.
        var sleepers: [Sleeper] = []
    }

    private let state: Watched<State>

    /// Creates a clock that starts at an instant.
    ///
    /// - Parameter now: The time until the clock is advanced.
    public init(now: Instant = Instant()) {
        state = Watched(State(now: now))
    }

    /// The current time. Any task or thread may read it and advance the clock.
    public var now: Instant { state.value.now }

    /// One nanosecond; nothing is rounded.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of tasks that sleep on the clock.
    ///
    /// A task that has not reached its sleep yet does not count; ``waitForSleepers(count:within:)`` waits for it.
    public var sleeperCount: Int { state.value.sleepers.count }

    /// Sleeps until the clock is advanced to the deadline. Returns immediately if the deadline has passed.
    ///
    /// - Parameters:
    ///   - deadline: The time to wake.
    ///   - tolerance: Has no effect: tasks wake exactly at their deadlines.
    /// - Throws: `CancellationError` if the task is canceled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        let sleeper = Sleeper(deadline: deadline)
        let sleeps = state.update { state in
            guard deadline > state.now else { return false }
            let index = state.sleepers.firstIndex { $0.deadline > deadline } ?? state.sleepers.endIndex
            state.sleepers.insert(sleeper, at: index)
            return true
        }
        guard sleeps else { return }
        let isOver = await sleeper.waiter.value {
            state.update { $0.sleepers.removeAll { $0.waiter === sleeper.waiter } }
            sleeper.waiter.resume(returning: false)
        }
        guard isOver else { throw CancellationError() }
    }

    /// Advances the clock and wakes each task whose deadline has come.
    ///
    /// ```swift
    /// clock.advance(by: .milliseconds(1500))
    /// ```
    ///
    /// Returns before the woken tasks have run.
    ///
    /// - Parameter duration: How far. A negative duration has no effect.
    public func advance(by duration: Duration) {
        move { $0.now.advanced(by: duration) }
    }

    /// Advances the clock to an instant and wakes each task whose deadline has come.
    ///
    /// Returns before the woken tasks have run.
    ///
    /// - Parameter instant: The new time. A past instant has no effect.
    public func advance(to instant: Instant) {
        move { _ in instant }
    }

    /// Advances the clock to the first deadline and wakes the tasks that sleep until then.
    ///
    /// ```swift
    /// try await clock.waitForSleepers()
    /// #expect(clock.advanceToNextSleeper() == .seconds(60))
    /// ```
    ///
    /// Returns before the woken tasks have run.
    ///
    /// - Returns: How far the clock advanced; `nil` if no task sleeps.
    @discardableResult
    public func advanceToNextSleeper() -> Duration? {
        move { $0.sleepers.first?.deadline }
    }

    /// Waits until a task sleeps, then advances the clock to the first deadline.
    ///
    /// ```swift
    /// let export = Task { try await api.send(.export) }              // fails twice
    /// #expect(try await clock.nextSleep() > .zero)                   // the first backoff
    /// #expect(try await clock.nextSleep() > .zero)                   // the second one
    /// try await export.value
    /// ```
    ///
    /// - Parameter limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Returns: How far the clock advanced.
    /// - Throws: ``WaitFailure`` if no task sleeps within the limit, or the task is canceled.
    @discardableResult
    public func nextSleep(within limit: Duration = .seconds(30)) async throws(WaitFailure) -> Duration {
        while true {
            try await waitForSleepers(within: limit)
            // The sleeping task may be canceled, or woken by another caller, in between.
            if let duration = advanceToNextSleeper() { return duration }
        }
    }

    /// Waits until a number of tasks sleep on the clock.
    ///
    /// - Parameters:
    ///   - count: The minimum number of tasks; 1 by default.
    ///   - limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Throws: ``WaitFailure`` with the deadlines of the sleeping tasks, if the limit passes or the task is canceled.
    public func waitForSleepers(
        count: Int = 1, within limit: Duration = .seconds(30)
    ) async throws(WaitFailure) {
        try await state.wait(
            within: limit, for: "\(count) task\(count == 1 ? "" : "s") to sleep on the clock", else: Self.summary
        ) {
            $0.sleepers.count >= count
        }
    }

    private static func summary(of state: State) -> String {
        let deadlines = state.sleepers.prefix(20).map { "\($0.deadline.offset)" }.joined(separator: ", ")
        let sleepers = deadlines.isEmpty ? "none sleeps" : "\(state.sleepers.count) sleep until \(deadlines)"
        return "\(sleepers); the clock shows \(state.now.offset)"
    }

    /// Runs an operation, and advances the clock to the next deadline whenever a task sleeps on it.
    ///
    /// ```swift
    /// let article = try await clock.run { try await api.send(.article(id: 1)) }      // with all its pauses
    /// #expect(clock.now.offset == .seconds(3))
    /// ```
    ///
    /// Use it for an operation that sleeps only when it has nothing else to do, such as a call with retries. The clock does not
    /// know of other work: a deadline that limits other work, such as that of a ping, may pass first. Advance the clock yourself
    /// in such a test.
    ///
    /// - Parameters:
    ///   - isolation: The caller's actor, on which the operation runs.
    ///   - operation: Sleeps on the clock.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    public func run<Value, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let driver = Task { [state] in
            while true {
                try await state.wait { !$0.sleepers.isEmpty }
                await Self.letOthersRun()
                advanceToNextSleeper()
            }
        }
        defer { driver.cancel() }
        return try await operation()
    }

    /// Advances the clock from deadline to deadline until no task sleeps on it.
    ///
    /// ```swift
    /// async let results = ids.concurrentMap(limit: 4) { try await api.send(.article(id: $0)) }
    /// try await clock.waitForSleepers()
    /// try await clock.runUntilIdle()
    /// ```
    ///
    /// The clock is idle if no task goes to sleep for the time `quiet` after the last one woke.
    ///
    /// - Parameters:
    ///   - quiet: How long to wait for another task to sleep, by the system's clock; 50 milliseconds by default.
    ///   - limit: Maximum deadlines to advance to; 10,000 by default. A loop that sleeps forever reaches it.
    /// - Returns: How far the clock advanced.
    /// - Throws: ``WaitFailure`` if tasks still sleep after `limit` deadlines, or the task is canceled.
    @discardableResult
    public func runUntilIdle(
        quiet: Duration = .milliseconds(50), limit: Int = 10_000
    ) async throws(WaitFailure) -> Duration {
        let start = now
        for _ in 0..<max(1, limit) {
            await Self.letOthersRun()
            switch await state.wait(within: quiet, until: { !$0.sleepers.isEmpty }) {
            case .met: advanceToNextSleeper()
            case .timedOut: return start.duration(to: now)
            case .cancelled:
                throw .cancelled(reason: "canceled while running until idle; \(Self.summary(of: state.value))")
            }
        }
        throw .timedOut(reason: "not idle after \(limit) deadlines; \(Self.summary(of: state.value))")
    }

    /// Gives ready tasks, which may be about to sleep, time to run.
    private static func letOthersRun() async {
        for _ in 0..<10 { await Task.yield() }
    }

    @discardableResult
    private func move(to target: @Sendable (State) -> Instant?) -> Duration? {
        let (moved, due) = state.update { state -> (Duration?, ArraySlice<Sleeper>) in
            guard let target = target(state) else { return (nil, []) }
            let start = state.now
            state.now = max(start, target)
            let due = state.sleepers.prefix { $0.deadline <= state.now }
            state.sleepers.removeFirst(due.count)
            return (start.duration(to: state.now), due)
        }
        for sleeper in due { sleeper.waiter.resume(returning: true) }
        return moved
    }
}
