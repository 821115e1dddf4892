#if os(Linux)
import GodwitSupport

/// The commands of a connection that have no reply yet, in their order. It has no clock.
///
/// A command whose reply is late stays, so that its reply is matched when it comes.
struct PendingCommands<Waiter> {
    private var entries: [(waiter: Waiter, sent: ContinuousClock.Instant)] = []
    /// The index of the first command without a reply.
    private var head = 0
    /// The index of the first one that isn't late.
    private var inTime = 0

    var count: Int { entries.count - head }
    var isEmpty: Bool { count == 0 }

    /// When the first command without a reply was sent.
    var first: ContinuousClock.Instant? { head < entries.count ? entries[head].sent : nil }

    /// When the first command that isn't late was sent.
    var firstInTime: ContinuousClock.Instant? { inTime < entries.count ? entries[inTime].sent : nil }

    mutating func append(_ waiter: Waiter, sent: ContinuousClock.Instant) { entries.append((waiter, sent)) }

    /// Removes the command whose reply has come.
    mutating func removeFirst() -> Waiter? {
        guard head < entries.count else { return nil }
        let waiter = entries[head].waiter
        head += 1
        inTime = max(inTime, head)
        if head > 64, head > entries.count / 2 {
            entries.removeFirst(head)
            inTime -= head
            head = 0
        }
        return waiter
    }

    /// Marks the commands that were sent until a time as late, and returns those that weren't before.
    mutating func expire(sentUntil time: ContinuousClock.Instant) -> [Waiter] {
        let start = inTime
        while inTime < entries.count, entries[inTime].sent <= time { inTime += 1 }
        return entries[start..<inTime].map(\.waiter)
    }

    mutating func takeAll() -> [Waiter] {
        defer {
            entries = []
            head = 0
            inTime = 0
        }
        return entries[head...].map(\.waiter)
    }
}

extension PendingCommands: Sendable where Waiter: Sendable {}
#endif
