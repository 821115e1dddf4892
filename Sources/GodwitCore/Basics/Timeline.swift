import Synchronization

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

/// A random generator that many tasks draw from.
final class RandomSource: Sendable {
    /// One generator as every function with a generic parameter takes it.
    struct Generator: RandomNumberGenerator, Sendable {
        fileprivate var base: any RandomNumberGenerator & Sendable

        mutating func next() -> UInt64 { base.next() }
    }

    private let generator: Mutex<Generator>

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Mutex(Generator(base: generator))
    }

    func draw<Value: Sendable>(_ body: (inout Generator) -> Value) -> Value {
        generator.withLock { body(&$0) }
    }
}
