/// A clock whose instants are durations since it was taken up, so that state machines need not know its type.
struct Timeline: Sendable {
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration

    init(_ clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = Self.elapsed(on: clock)
    }

    /// The time since the timeline was made.
    var now: Duration { elapsed() }

    /// Sleeps, for a century at most, as an instant further off cannot be told; throws when the task is cancelled, before or meanwhile.
    func sleep(for duration: Duration) async throws(CancellationError) {
        if duration > .zero { try? await clock.sleep(for: duration.bounded) }
        if Task.isCancelled { throw CancellationError() }
    }

    private static func elapsed<C: Clock<Duration>>(on clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
