public import GodwitCore

/// A clock that stands still until a test advances it, for backoff, pings, expiry and whatever else waits.
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await refreshEvery(.seconds(60), clock: clock) }
/// try await clock.waitForSleepers()
/// clock.advance(by: .seconds(60))
/// ```
///
/// Sleepers wake in the order of their deadlines, and those with the same deadline in the order in which they fell
/// asleep. A task that sleeps again after it woke does so at the time to which the clock was advanced: to go through a
/// series of pauses, call ``nextSleep(within:)`` for each, or ``run(isolation:_:)`` for all. An ``ImmediateClock`` needs no
/// advancing.
public final class TestClock: Clock, Sendable {
    /// A point in the time of a ``TestClock``: how long after its beginning.
    public struct Instant: InstantProtocol, Sendable, Hashable {
        /// The time since the clock was made.
        public var offset: Duration

        /// Makes an instant.
        ///
        /// - Parameter offset: How long after the clock's beginning; zero by default.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// The date that the instant stands for: so much after January 1, 2001, 00:00 UTC.
        ///
        /// ```swift
        /// let caching = Caching(store, now: { clock.now.date })           // ages as the clock advances
        /// ```
        public var date: Date {
            Date(timeIntervalSinceReferenceDate: offset / .seconds(1))
        }

        /// The instant so much later; earlier for a negative duration.
        ///
        /// - Parameter duration: How much later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// How much later the other instant is; negative where it is earlier.
        ///
        /// - Parameter other: The instant to measure to.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper: Sendable {
        let id: UInt64
        let deadline: Instant
        let continuation: UnsafeContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var now: Instant
        /// In the order in which they wake.
        var sleepers: [Sleeper] = []
        var lastID: UInt64 = 0
    }

    private let state: Watched<State>

    /// Makes a clock that stands at an instant.
    ///
    /// - Parameter now: What the clock shows until it is moved.
    public init(now: Instant = Instant()) {
        state = Watched(State(now: now))
    }

    /// Where the clock stands.
    ///
    /// May be read, and the clock moved, from any task or thread.
    public var now: Instant { state.value.now }

    /// The smallest step; nothing is rounded.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep on this clock.
    ///
    /// A task that has not reached its sleep yet does not count; ``waitForSleepers(count:)`` waits for it.
    public var sleeperCount: Int { state.value.sleepers.count }

    /// Sleeps until the clock was moved to the deadline or beyond; returns at once when it stands there already.
    ///
    /// The tolerance has no effect. Throws `CancellationError` when the task is cancelled.
    ///
    /// - Parameters:
    ///   - deadline: When to wake.
    ///   - tolerance: Has no effect: sleepers wake exactly at their deadlines.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws(CancellationError) {
        let id = state.update { state in
            state.lastID += 1
            return state.lastID
        }
        let isOver = await withTaskCancellationHandler {
            await withUnsafeContinuation { add(Sleeper(id: id, deadline: deadline, continuation: $0)) }
        } onCancel: {
            remove(id)
        }
        guard isOver else { throw CancellationError() }
    }

    /// Moves the clock on, and wakes all whose deadline has come. A negative duration moves nothing.
    ///
    /// ```swift
    /// clock.advance(by: .milliseconds(1500))
    /// ```
    ///
    /// Returns before the tasks that it woke have run.
    ///
    /// - Parameter duration: How far. Zero wakes those whose time has come.
    public func advance(by duration: Duration) {
        move { $0.now.advanced(by: duration) }
    }

    /// Moves the clock on to an instant, and wakes all whose deadline has come. A past one moves nothing.
    ///
    /// Returns before the tasks that it woke have run.
    ///
    /// - Parameter instant: What the clock shall show.
    public func advance(to instant: Instant) {
        move { _ in instant }
    }

    /// Advances the clock to the first deadline, and wakes the tasks that sleep until then.
    ///
    /// ```swift
    /// try await clock.waitForSleepers()
    /// #expect(clock.advanceToNextSleeper() == .seconds(60))
    /// ```
    ///
    /// Returns before the tasks that it woke have run.
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
            // A task may be canceled, or woken by another caller, in between.
            if let duration = advanceToNextSleeper() { return duration }
        }
    }

    /// Waits until at least so many tasks sleep on this clock.
    ///
    /// - Parameters:
    ///   - count: How many; 1 by default.
    ///   - limit: Maximum time to wait, by the system's clock; 30 seconds by default.
    /// - Throws: ``WaitFailure`` with the deadlines of those that do sleep, if the limit passes or the task is canceled.
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
    /// For an operation that sleeps when it has nothing else to do, such as a call that is retried. The clock does not know
    /// what else is under way: a deadline that runs beside other work, such as that of a ping, may pass first. Advance such
    /// a clock by hand.
    ///
    /// - Parameters:
    ///   - isolation: The actor that calls it; the operation runs there.
    ///   - operation: What sleeps on the clock.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
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

    /// Advances the clock from deadline to deadline until no task sleeps on it anymore.
    ///
    /// ```swift
    /// async let results = ids.concurrentMap(limit: 4) { try await api.send(.article(id: $0)) }
    /// try await clock.waitForSleepers()
    /// try await clock.runUntilIdle()
    /// ```
    ///
    /// No task sleeps anymore if none fell asleep for the time `quiet` since the last one woke.
    ///
    /// - Parameters:
    ///   - quiet: How long to wait for a further sleeper, by the system's clock; 50 milliseconds by default.
    ///   - limit: Maximum deadlines to advance to; 10,000 by default. A loop that sleeps forever reaches it.
    /// - Returns: How far the clock advanced.
    /// - Throws: ``WaitFailure`` if tasks still sleep after so many deadlines, or the task is canceled.
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

    /// Gives tasks that are ready to run, and may be about to sleep, time to do so.
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
        for sleeper in due { sleeper.continuation.resume(returning: true) }
        return moved
    }

    private func add(_ sleeper: Sleeper) {
        let outcome = state.update { state -> Bool? in
            if Task.isCancelled { return false }
            if sleeper.deadline <= state.now { return true }
            let place = state.sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? state.sleepers.endIndex
            state.sleepers.insert(sleeper, at: place)
            return nil
        }
        if let outcome { sleeper.continuation.resume(returning: outcome) }
    }

    private func remove(_ id: UInt64) {
        let sleeper = state.update { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(returning: false)
    }
}
