/// A clock that stands still until a test moves it, for backoff, pings, expiry and whatever else waits.
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await refreshEvery(.seconds(60), clock: clock) }
/// try await clock.waitForSleepers()
/// clock.advance(by: .seconds(60))
/// ```
///
/// Sleepers wake in the order of their deadlines, and those with the same deadline in the order in which they fell
/// asleep. A task that sleeps again after it woke does so at the time to which the clock was moved: to go through a
/// series of waits, wait for the sleeper and move on, one by one.
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

    /// Moves the clock on to the next deadline, and wakes all who wait for it.
    ///
    /// Returns how far the clock moved; nil where nobody sleeps.
    ///
    /// ```swift
    /// try await clock.waitForSleepers()
    /// #expect(clock.run() == .seconds(60))
    /// ```
    @discardableResult
    public func run() -> Duration? {
        move { $0.sleepers.first?.deadline }
    }

    /// Waits until at least so many tasks sleep on this clock. Throws when the task is cancelled.
    ///
    /// Waits in real time; without such a task it waits until it is cancelled.
    ///
    /// - Parameter count: How many; 1 by default.
    public func waitForSleepers(count: Int = 1) async throws(CancellationError) {
        try await state.wait { $0.sleepers.count >= count }
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
