import GodwitSupport
import Synchronization

/// Runs work once its input hasn't changed for a while; the latest input wins.
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
/// Each call replaces the previous one, which is canceled if it waits or runs, and returns `nil`. So results never
/// arrive out of order.
public final class Debounced<Input: Sendable, Output: Sendable>: Sendable {
    private let latest = LatestTask()
    private let quiet: Duration
    private let clock: any Clock<Duration>
    private let work: @Sendable (Input) async throws -> Output

    /// Creates debounced work.
    ///
    /// - Parameters:
    ///   - quiet: How long the input must stay unchanged.
    ///   - clock: The clock that measures it.
    ///   - work: The work to run with an input.
    public init(
        for quiet: Duration, clock: any Clock<Duration> = ContinuousClock(),
        _ work: @escaping @Sendable (Input) async throws -> Output
    ) {
        self.quiet = quiet.bounded
        self.clock = clock
        self.work = work
    }

    /// Runs the work with this input, unless a later call replaces it.
    ///
    /// Rethrows the work's errors, and throws `CancellationError` if the calling task is canceled.
    ///
    /// - Parameter input: The input for the work.
    /// - Returns: The result of the work. `nil` if a later call replaced this one.
    public func callAsFunction(_ input: Input) async throws -> Output? {
        try await latest.run { [quiet, clock, work] in
            try await clock.sleep(for: quiet.bounded)
            return try await work(input)
        }
    }

    /// Cancels waiting or running work; its callers get `nil`.
    public func cancel() {
        latest.cancel()
    }
}

/// Runs work at most once per interval; the latest input wins.
///
/// ```swift
/// let save = Throttled(to: .seconds(2)) { draft in try await api.send(.save(draft)) }
/// ```
///
/// The first call starts immediately. A call within the interval waits for its end; a further call replaces it, and the
/// replaced one returns `nil`. Work that has started runs to its end. If later work ends first, it returns `nil` too,
/// so results never arrive out of order.
public final class Throttled<Input: Sendable, Output: Sendable>: Sendable {
    private struct State {
        /// The earliest time at which the next work can start.
        var next = Duration.zero
        var lastStarted: UInt64 = 0
        var lastEnded: UInt64 = 0
    }

    private let latest = LatestTask()
    private let interval: Duration
    private let timeline: Timeline
    private let work: @Sendable (Input) async throws -> Output
    private let state = Mutex(State())

    /// Creates throttled work.
    ///
    /// - Parameters:
    ///   - interval: The minimum time between two starts.
    ///   - clock: The clock that measures it.
    ///   - work: The work to run with an input.
    public init(
        to interval: Duration, clock: any Clock<Duration> = ContinuousClock(),
        _ work: @escaping @Sendable (Input) async throws -> Output
    ) {
        self.interval = interval.bounded
        timeline = Timeline(clock)
        self.work = work
    }

    /// Runs the work with this input, now or at the end of the interval, unless a later call replaces it.
    ///
    /// Rethrows the work's errors, and throws `CancellationError` if the calling task is canceled.
    ///
    /// - Parameter input: The input for the work.
    /// - Returns: The result of the work. `nil` if a later call replaced this one.
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
