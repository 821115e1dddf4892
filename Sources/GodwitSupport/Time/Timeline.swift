import Synchronization

/// A clock whose instants are durations since its creation, so that state machines don't depend on the clock's type.
public struct Timeline: Sendable {
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration

    public init(_ clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = Self.elapsed(on: clock)
    }

    /// The time since the timeline was created.
    public var now: Duration { elapsed() }

    /// Sleeps for up to a century, as later instants can't be represented. Throws if the task is or gets canceled.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        if duration > .zero { try? await clock.sleep(for: duration.bounded) }
        if Task.isCancelled { throw CancellationError() }
    }

    private static func elapsed<C: Clock<Duration>>(on clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

/// A random number generator that tasks can share.
public final class RandomSource: Sendable {
    /// A concrete generator, for functions with a generic parameter.
    public struct Generator: RandomNumberGenerator, Sendable {
        fileprivate var base: any RandomNumberGenerator & Sendable

        public mutating func next() -> UInt64 { base.next() }
    }

    private let generator: Mutex<Generator>

    public init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Mutex(Generator(base: generator))
    }

    public func draw<Value: Sendable>(_ body: (inout Generator) -> Value) -> Value {
        generator.withLock { body(&$0) }
    }
}
