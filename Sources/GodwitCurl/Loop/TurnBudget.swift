import Glibc
import GodwitCore
import Synchronization

/// The time that one turn of the event loop may take (decision 027). The rest is done in the next turn, after new events were
/// read, so that no call waits for thousands of others.
struct TurnBudget {
    /// The kinds of work, in a turn's order, with their limits. Each gets time even if the ones before used theirs.
    enum Work: Int64 {
        case events = 2_000_000
        case starts = 3_000_000
        case ends = 4_000_000
        case decoding = 6_000_000
    }

    private var start: LoopTime

    init(at now: LoopTime) {
        start = now
    }

    mutating func beginTurn(at now: LoopTime) {
        start = now
    }

    /// Whether the turn has time for more work of this kind. Reads the clock.
    func hasTime(for work: Work, at now: LoopTime = .current()) -> Bool {
        now < start + work.rawValue
    }
}

/// Measures the processor time of a loop's turns: from one wait for events to the next.
///
/// Only for tests, as reading this clock takes a system call.
final class TurnMeter: Sendable {
    private let start = Atomic<Int>(0)
    private let longestTurn = Atomic<Int>(0)
    private let turns = Atomic<Int>(0)

    /// How many turns have ended.
    var count: Int { turns.load(ordering: .relaxed) }

    /// The longest turn so far.
    var longest: Duration { .nanoseconds(longestTurn.load(ordering: .relaxed)) }

    /// A turn starts, on the loop's thread.
    func beginTurn() {
        start.store(Self.processorTime(), ordering: .relaxed)
    }

    /// The turn ends, on the same thread.
    func endTurn() {
        longestTurn.max(Self.processorTime() - start.load(ordering: .relaxed), ordering: .relaxed)
        turns.wrappingAdd(1, ordering: .relaxed)
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// Finds the exchanges that took too long, by occasional scans of all of them.
///
/// Every byte moves an exchange's deadline, so a sorted queue would change with each byte. Instead the earliest deadline that
/// was noted is kept. When it is due, one scan finds what expired, and when to scan next.
struct DeadlineScan {
    /// When to scan next; nil if nothing has a deadline.
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

/// Exchanges that have to end, as many in each turn as it has time for.
struct EndQueue {
    enum Reason {
        case cancelled
        /// Its own deadline has passed.
        case expired
        /// The connection that it waited to share was not made in time.
        case queuedTooLong
    }

    private typealias Entry = (exchange: Exchange, reason: Reason)

    /// Nil once taken: freeing ten thousand exchanges together would hold up the loop.
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
