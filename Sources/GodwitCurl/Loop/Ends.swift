import GodwitCore

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
