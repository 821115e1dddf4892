import Glibc
import Synchronization

/// Measures the processor time of a loop's turns: from one wait for events to the next.
///
/// Only for tests, as reading this clock takes a system call.
final class TurnMeter: Sendable {
    private let begin = Atomic<Int>(0)
    private let longestTurn = Atomic<Int>(0)

    /// The longest turn so far.
    var longest: Duration { .nanoseconds(longestTurn.load(ordering: .relaxed)) }

    /// A turn begins, on the loop's thread.
    func beginTurn() {
        begin.store(Self.processorTime(), ordering: .relaxed)
    }

    /// The turn ends, on the same thread.
    func endTurn() {
        longestTurn.max(Self.processorTime() - begin.load(ordering: .relaxed), ordering: .relaxed)
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
