#if os(Linux)
import GodwitCore
import GodwitSockets

/// The exchanges that have to end, as many in each turn as it has time for (decision 027), and the callers that wait for an end.
struct Ends {
    enum Reason {
        case cancelled
        /// Its own deadline has passed.
        case expired
        /// The connection that it waited to share was not made in time.
        case queuedTooLong
    }

    /// How many exchanges end before the time is checked.
    static let atOnce = 2

    /// Scans are at least this many nanoseconds apart, so that many exchanges cost few scans.
    private static let scanInterval: Int64 = 10_000_000

    /// When to look for exchanges that took too long; nil if none has a deadline.
    ///
    /// Every byte moves an exchange's deadline, so a sorted queue would change with each byte. Instead the earliest deadline that
    /// was noted is kept. When it is due, one scan finds what expired, and when to scan next.
    private(set) var nextScan: LoopTime?
    private var queue = Line<(exchange: Exchange, reason: Reason)>()
    /// Origins that took too long to connect to, until the exchanges that wait for them are noted.
    private var lateOrigins: Set<Origin> = []
    /// The late origins whose waiting exchanges are being ended.
    private var lateGroups: [Origin] = []
    /// How many cancellations were served in this turn.
    private var count = 0
    /// Whether libcurl has more ended exchanges to report.
    var hasMoreEnded = false
    /// Callers whose exchanges ended in this turn.
    private var callers: [Exchange.Continuation] = []
    private(set) var isShutDown = false
    private var shutdownWaiters: [UnsafeContinuation<Void, Never>] = []

    /// Whether exchanges are known that have to end.
    var isEmpty: Bool { queue.isEmpty && lateGroups.isEmpty }

    // MARK: Deadlines

    /// An exchange's deadline may be earlier than all others.
    mutating func note(_ deadline: LoopTime?) {
        nextScan = .earlier(nextScan, deadline)
    }

    /// The exchanges whose deadline has passed.
    mutating func scan(_ exchanges: [Exchange], at now: LoopTime) -> [Exchange] {
        nextScan = nil
        var expired: [Exchange] = []
        for exchange in exchanges {
            guard let deadline = exchange.deadline else { continue }
            if deadline <= now {
                expired.append(exchange)
            } else {
                note(max(deadline, now + Self.scanInterval))
            }
        }
        return expired
    }

    /// An exchange took too long. If that was connecting, those that wait for the same connection are late too.
    mutating func expire(_ exchange: Exchange, at now: LoopTime) {
        append(exchange, .expired)
        if exchange.expiredStage(at: now) == .connect { lateOrigins.insert(exchange.request.url.origin) }
    }

    /// Notes exchanges that waited as long to share a late connection. Otherwise they would try next, one after the other. Returns
    /// whether there were late connections.
    mutating func collectLate(_ exchanges: [Exchange], at now: LoopTime) -> Bool {
        if lateOrigins.isEmpty { return false }
        let origins = lateOrigins
        lateOrigins = []
        for exchange in exchanges
        where exchange.hasQueuedTooLong(at: now) && origins.contains(exchange.request.url.origin) {
            append(exchange, .queuedTooLong)
        }
        lateGroups += origins
        return true
    }

    // MARK: The queue

    mutating func append(_ exchange: Exchange, _ reason: Reason) {
        queue.append((exchange, reason))
    }

    /// An exchange was canceled. Returns whether it ends now; otherwise it waits for its turn.
    mutating func cancel(_ exchange: Exchange) -> Bool {
        guard count < Self.atOnce else {
            append(exchange, .cancelled)
            return false
        }
        count += 1
        return true
    }

    mutating func beginTurn() {
        count = 0
    }

    /// The next exchange to end. Those that have not started come first, or they would start instead of those that end.
    mutating func next(_ starts: inout Starts, at now: LoopTime) -> (exchange: Exchange, reason: Reason)? {
        while let origin = lateGroups.last {
            if let exchange = starts.popLate(origin, at: now) { return (exchange, .queuedTooLong) }
            lateGroups.removeLast()
        }
        return queue.popFirst()
    }

    // MARK: Callers

    /// Resumes the exchange's caller at the end of the turn, unless it was resumed.
    mutating func answer(_ exchange: Exchange) {
        if let caller = exchange.takeCaller() { callers.append(caller) }
    }

    mutating func resumeCallers() {
        if callers.isEmpty { return }
        for caller in callers { caller.resume() }
        callers.removeAll(keepingCapacity: true)
    }

    // MARK: Shutdown

    /// Takes no new exchanges. The waiter is resumed when the last one is over.
    mutating func shutDown(_ waiter: UnsafeContinuation<Void, Never>?) {
        isShutDown = true
        if let waiter { shutdownWaiters.append(waiter) }
    }

    mutating func finishShutdown() {
        for waiter in shutdownWaiters { waiter.resume() }
        shutdownWaiters = []
    }
}
#endif
