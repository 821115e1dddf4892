/// A clock on which each sleep ends immediately, for tests that don't depend on timing.
///
/// ```swift
/// let clock = ImmediateClock()
/// let mock = MockTransport { $0.get("/articles/1").replies([.status(503), .status(503), .json(["id": 1])]) }
/// let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.clock = clock }
/// _ = try await api.send(.article(id: 1))                 // tried three times, without waiting
/// #expect(clock.sleeps.count == 2)                        // the length of each pause
/// ```
///
/// The time advances by each sleep. A loop that sleeps forever, such as one that sends pings, runs without pauses, and a
/// deadline passes before the work that it limits: use a ``TestClock`` for these.
public final class ImmediateClock: Clock, Sendable {
    /// A point in time, measured from the clock's start.
    public typealias Instant = TestClock.Instant

    private struct State: Sendable {
        var now: Instant
        var sleeps: [Duration] = []
    }

    private static let sleepLimit = 10_000

    private let state: Watched<State>

    /// Creates a clock that starts at an instant.
    ///
    /// - Parameter now: The time until the first sleep.
    public init(now: Instant = Instant()) {
        state = Watched(State(now: now))
    }

    /// The end of the latest sleep.
    public var now: Instant { state.value.now }

    /// One nanosecond; nothing is rounded.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The duration of each sleep in order; the first 10,000.
    public var sleeps: [Duration] { state.value.sleeps }

    /// Advances the clock to the deadline and returns immediately. A past deadline advances nothing.
    ///
    /// - Parameters:
    ///   - deadline: The new time.
    ///   - tolerance: Has no effect.
    /// - Throws: `CancellationError` if the task is canceled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws(CancellationError) {
        // Other tasks run, so that a loop that sleeps can be canceled.
        await Task.yield()
        if Task.isCancelled { throw CancellationError() }
        state.update { state in
            guard deadline > state.now else { return }
            if state.sleeps.count < Self.sleepLimit { state.sleeps.append(state.now.duration(to: deadline)) }
            state.now = deadline
        }
    }
}
