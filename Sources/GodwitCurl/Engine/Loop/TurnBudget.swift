import Glibc
import GodwitCore
import Synchronization

/// The time that one turn of the event loop may take. What is left over is done in the next turn, after events were
/// looked at again, so that no call waits for a crowd of others.
struct TurnBudget {
    /// What is limited, in the order in which a turn comes to it. Each gets time even if the ones before took theirs.
    enum Work: Int64 {
        case events = 2_000_000
        case starts = 3_000_000
        case ends = 4_000_000
    }

    private var begin: LoopTime

    init(at now: LoopTime) {
        begin = now
    }

    mutating func beginTurn(at now: LoopTime) {
        begin = now
    }

    /// Whether the turn has time for more of such work. Reads the clock.
    func hasTime(for work: Work, at now: LoopTime = .current()) -> Bool {
        now < begin + work.rawValue
    }
}

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

/// Finds the exchanges that took too long, by looking at all of them now and then.
///
/// Every byte moves an exchange's deadline, so a sorted queue would be churned per byte. Instead the earliest deadline
/// that was ever noted is kept; when it is due, one scan finds what really expired and the next time to look.
struct DeadlineScan {
    /// When to look next; nil where nothing has a deadline.
    private(set) var next: LoopTime?

    /// Scans are at least this many nanoseconds apart, so that many exchanges cost few scans.
    private static let granularity: Int64 = 10_000_000

    mutating func note(_ deadline: LoopTime?) {
        next = .earlier(next, deadline)
    }

    func isDue(at now: LoopTime) -> Bool {
        next.map { $0 <= now } ?? false
    }

    /// The exchanges whose deadline has passed.
    mutating func scan(_ exchanges: [Exchange], at now: LoopTime) -> [Exchange] {
        next = nil
        var expired: [Exchange] = []
        for exchange in exchanges {
            guard let deadline = exchange.deadline else { continue }
            if deadline <= now {
                expired.append(exchange)
            } else {
                note(max(deadline, now + Self.granularity))
            }
        }
        return expired
    }
}

/// Exchanges that have to end: as many as a turn has time for at once, the rest in the next turns.
struct EndQueue {
    enum Reason {
        case cancelled
        /// A deadline of its own has passed.
        case expired
        /// The connection that it waited to share did not come about in time.
        case queuedTooLong
    }

    private typealias Entry = (exchange: Exchange, reason: Reason)

    /// Nil once it was taken: ten thousand exchanges freed together would hold up the loop.
    private var entries: [Entry?] = []
    private var first = 0

    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ exchange: Exchange, _ reason: Reason) {
        entries.append((exchange, reason))
    }

    mutating func popFirst() -> (exchange: Exchange, reason: Reason)? {
        guard first < entries.count else { return nil }
        defer {
            first += 1
            if first == entries.count { (entries, first) = ([], 0) }
        }
        return entries[first].take()
    }
}
