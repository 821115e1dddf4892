/// A clock on which every sleep ends at once, at its deadline, for tests that do not care when things happen.
///
/// ```swift
/// let clock = ImmediateClock()
/// let mock = MockTransport { $0.get("/articles/1").replies([.status(503), .status(503), .json(["id": 1])]) }
/// let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.clock = clock }
/// _ = try await api.send(.article(id: 1))                 // tried three times, without waiting
/// #expect(clock.sleeps.count == 2)                        // and this is how long the pauses were
/// ```
///
/// The time advances by each sleep. A loop that sleeps forever, such as one that sends pings, runs without a pause, and a
/// deadline beside other work passes first: use a ``TestClock`` for these.
public final class ImmediateClock: Clock, Sendable {
    /// A point in the time of the clock: how long after its beginning.
    public typealias Instant = TestClock.Instant

    private struct State: Sendable {
        var now: Instant
        var sleeps: [Duration] = []
    }

    private static let sleepLimit = 10_000

    private let state: Watched<State>

    /// Makes a clock.
    ///
    /// - Parameter now: What the clock shows until the first sleep.
    public init(now: Instant = Instant()) {
        state = Watched(State(now: now))
    }

    /// The instant at which the latest sleep ended.
    public var now: Instant { state.value.now }

    /// The smallest step; nothing is rounded.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How long each sleep would have been, in their order; the first 10,000.
    public var sleeps: [Duration] { state.value.sleeps }

    /// Advances the clock to the deadline, and returns at once. A past deadline advances nothing.
    ///
    /// - Parameters:
    ///   - deadline: What the clock shows then.
    ///   - tolerance: Has no effect.
    /// - Throws: `CancellationError` if the task is canceled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws(CancellationError) {
        // Others run, so that a loop that sleeps can be canceled.
        await Task.yield()
        if Task.isCancelled { throw CancellationError() }
        state.update { state in
            guard deadline > state.now else { return }
            if state.sleeps.count < Self.sleepLimit { state.sleeps.append(state.now.duration(to: deadline)) }
            state.now = deadline
        }
    }
}
