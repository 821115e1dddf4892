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
