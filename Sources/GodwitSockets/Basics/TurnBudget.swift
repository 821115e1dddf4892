#if os(Linux)
import GodwitLibc
import Synchronization

/// The time that one turn of the event loop may take (decision 027). The rest is done in the next turn, after new events were
/// read, so that no call waits for thousands of others.
package struct TurnBudget {
    /// The kinds of work, in a turn's order, with their limits. Each gets time even if the ones before used theirs.
    package enum Work: Int64 {
        case events = 2_000_000
        case starts = 3_000_000
        case ends = 4_000_000
        case decoding = 6_000_000
    }

    private var start: LoopTime

    package init(at now: LoopTime) {
        start = now
    }

    package mutating func beginTurn(at now: LoopTime) {
        start = now
    }

    /// Whether the turn has time for more work of this kind. Reads the clock.
    package func hasTime(for work: Work, at now: LoopTime = .current()) -> Bool {
        now < start + work.rawValue
    }
}

/// Measures the processor time of a loop's turns: from one wait for events to the next.
///
/// Only for tests, as reading this clock takes a system call.
package final class TurnMeter: Sendable {
    private let start = Atomic<Int>(0)
    private let longestTurn = Atomic<Int>(0)
    private let turns = Atomic<Int>(0)

    package init() {}

    /// How many turns have ended.
    package var count: Int { turns.load(ordering: .relaxed) }

    /// The longest turn so far.
    package var longest: Duration { .nanoseconds(longestTurn.load(ordering: .relaxed)) }

    /// A turn starts, on the thread that has it.
    package func beginTurn() {
        start.store(Self.processorTime(), ordering: .relaxed)
    }

    /// The turn ends, on the same thread, and the loop waits for events.
    package func endTurn() {
        longestTurn.max(Self.processorTime() - start.load(ordering: .relaxed), ordering: .relaxed)
        turns.wrappingAdd(1, ordering: .relaxed)
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
#endif
