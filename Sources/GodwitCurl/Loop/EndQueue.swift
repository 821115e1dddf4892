import GodwitCore

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
