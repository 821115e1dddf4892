import Synchronization

/// Work that starts once its input has stood still for a while; the latest input wins.
///
/// ```swift
/// let search = Debounced(for: .milliseconds(300)) { text in try await api.send(.search(text)) }
///
/// func textChanged(_ text: String) async throws {
///     guard let results = try await search(text) else { return }      // a later text took its place
///     show(results)
/// }
/// ```
///
/// Each call takes the place of the one before it: one that still waits ends, one whose work runs is cancelled, and
/// both return nil. So results never arrive out of order.
public final class Debounced<Input: Sendable, Output: Sendable>: Sendable {
    private let latest = LatestTask()
    private let quiet: Duration
    private let clock: any Clock<Duration>
    private let work: @Sendable (Input) async throws -> Output

    /// Makes the work.
    ///
    /// - Parameters:
    ///   - quiet: How long an input has to stand still.
    ///   - clock: What that is measured by.
    ///   - work: What is done with it.
    public init(
        for quiet: Duration, clock: any Clock<Duration> = ContinuousClock(),
        _ work: @escaping @Sendable (Input) async throws -> Output
    ) {
        (self.quiet, self.clock, self.work) = (quiet.bounded, clock, work)
    }

    /// Does the work with this input, unless a later call takes its place; then it returns nil.
    ///
    /// Throws what the work throws, and `CancellationError` when the calling task is cancelled while it waits.
    ///
    /// - Parameter input: What the work is done with.
    /// - Returns: The outcome; nil where a later call took this one's place.
    public func callAsFunction(_ input: Input) async throws -> Output? {
        try await latest.run { [quiet, clock, work] in
            try await clock.sleep(for: quiet)
            return try await work(input)
        }
    }

    /// Ends what waits or runs; its callers get nil.
    public func cancel() {
        latest.cancel()
    }
}

/// Work that starts at most once in an interval; the latest input wins.
///
/// ```swift
/// let save = Throttled(to: .seconds(2)) { draft in try await api.send(.save(draft)) }
/// ```
///
/// The first call starts at once. One that comes within the interval waits for its end, and each further one takes the
/// place of the one before it, which returns nil. Work that has started runs to its end; where a later one has ended
/// before it, it returns nil too, so that results never arrive out of order.
public final class Throttled<Input: Sendable, Output: Sendable>: Sendable {
    private struct State {
        /// When the next work may start.
        var next = Duration.zero
        var lastStarted: UInt64 = 0
        var lastEnded: UInt64 = 0
    }

    private let latest = LatestTask()
    private let interval: Duration
    private let timeline: Timeline
    private let work: @Sendable (Input) async throws -> Output
    private let state = Mutex(State())

    /// Makes the work.
    ///
    /// - Parameters:
    ///   - interval: The least time between two starts.
    ///   - clock: What that is measured by.
    ///   - work: What is done with an input.
    public init(
        to interval: Duration, clock: any Clock<Duration> = ContinuousClock(),
        _ work: @escaping @Sendable (Input) async throws -> Output
    ) {
        (self.interval, timeline, self.work) = (interval.bounded, Timeline(clock), work)
    }

    /// Does the work with this input, now or at the end of the interval; nil where a later call took its place.
    ///
    /// Throws what the work throws, and `CancellationError` when the calling task is cancelled while it waits.
    ///
    /// - Parameter input: What the work is done with.
    /// - Returns: The outcome; nil where a later call took this one's place.
    public func callAsFunction(_ input: Input) async throws -> Output? {
        let started = try await latest.run { [self] in
            try await timeline.sleep(for: state.withLock { $0.next } - timeline.now)
            return start()
        }
        guard let started else { return nil }
        let output = try await work(input)
        return state.withLock { state in
            guard started > state.lastEnded else { return nil }
            state.lastEnded = started
            return output
        }
    }

    private func start() -> UInt64 {
        let now = timeline.now
        return state.withLock { state in
            state.next = now + interval
            state.lastStarted += 1
            return state.lastStarted
        }
    }
}
