#if os(Linux)
import GodwitCore
import GodwitSockets

/// The exchanges that wait to be started, and whose turn it is.
///
/// Exchanges start a few at a time: a new connection costs some 75 microseconds, with TLS on this machine half a millisecond,
/// and thousands of them would hold up all other exchanges (decision 027).
struct Starts {
    /// How many exchanges start before the time is checked. One that may open a connection with TLS counts as four.
    static let atOnce = 12

    /// Those whose turn comes, and those held back until their origin has a connection.
    private var queue = StartQueue<Origin, Exchange>()
    /// Those that wait for the trusted certificates.
    private var untrusted = StartQueue<Origin, Exchange>()
    private var admission = Admission()
    /// The origin of the last exchange over a shared connection.
    private var sharedOrigin: Origin?
    /// When the first waiting exchange has waited for too long; nil for never.
    private var deadline: LoopTime?
    /// How many exchanges started since the time was checked.
    var count = 0

    var isEmpty: Bool { queue.isEmpty && untrusted.isEmpty }
    var hasUntrusted: Bool { !untrusted.isEmpty }
    /// Whether the turn of an exchange has come.
    var isReady: Bool { queue.isReady }

    func forEach(_ body: (Exchange) -> Void) {
        queue.forEach(body)
        untrusted.forEach(body)
    }

    // MARK: Deciding

    /// Decides about an exchange that is new, or that waited for something other than its turn.
    ///
    /// - Parameters:
    ///   - facts: What the engine knows.
    ///   - mayShare: Whether it may share a connection with others to its origin.
    mutating func decide(_ exchange: Exchange, _ facts: StartFacts, mayShare: Bool) -> StartDecision {
        var facts = facts
        facts.hasTurn = !queue.isReady && count < Self.atOnce
        if mayShare { facts.place = admission.place(at: exchange.request.url.origin) }
        let decision = facts.decision
        if facts.place == .probe, decision == .begin || decision == .wait(.turn) {
            exchange.state.isProbe = true
            admission.admitted(exchange.request.url.origin)
        }
        return decision
    }

    /// libcurl gets an exchange.
    mutating func begin(_ exchange: Exchange) {
        exchange.state.wait(until: nil)
        let url = exchange.request.url
        count += url.scheme == .https && sharedOrigin != url.origin ? 4 : 1
    }

    /// An exchange is over that shared a connection: the next one to its origin most likely needs no new one.
    mutating func noteShared(_ origin: Origin) {
        if sharedOrigin != origin { sharedOrigin = origin }
    }

    // MARK: Queues

    /// Puts an exchange into a queue. Returns when it has waited for too long; nil for never.
    mutating func wait(_ exchange: Exchange, for reason: StartDecision.Reason, at now: LoopTime) -> LoopTime? {
        let limits = StartLimits(TimeLimits(exchange.options.timeouts), at: now)
        exchange.state.wait(until: limits)
        let origin = exchange.request.url.origin
        switch reason {
        case .trust: untrusted.append(exchange, to: origin)
        case .connection: queue.append(exchange, to: origin, isHeld: true)
        case .turn: queue.append(exchange, to: origin)
        }
        deadline = .earlier(deadline, limits.total)
        return limits.total
    }

    /// The exchange whose turn it is. It may have ended in the queue.
    mutating func next() -> Exchange? { queue.popFirst() }

    /// The next of those that waited for the trusted certificates.
    mutating func nextUntrusted() -> Exchange? { untrusted.popFirst() }

    /// The first exchange held back for an origin if making a connection has taken it too long, or if it ended.
    mutating func popLate(_ origin: Origin, at now: LoopTime) -> Exchange? {
        guard let exchange = queue.firstHeld(origin), exchange.state.wait.map({ $0.connect <= now }) ?? true else {
            return nil
        }
        return queue.popHeld(origin)
    }

    /// Reports the exchanges that have waited for too long. Returns when to look again.
    mutating func expire(at now: LoopTime, _ report: (Exchange) -> Void) -> LoopTime? {
        guard let due = deadline, due <= now else { return deadline }
        var next: LoopTime?
        forEach { exchange in
            guard let total = exchange.state.wait?.total else { return }
            if total <= now { report(exchange) } else { next = .earlier(next, total) }
        }
        deadline = next
        return next
    }

    mutating func removeAll() {
        queue.removeAll()
        untrusted.removeAll()
    }

    // MARK: Origins without a connection yet

    /// A probe has a connection: those held back for its origin can start.
    mutating func reached(_ probe: Exchange) {
        probe.state.isProbe = false
        let origin = probe.request.url.origin
        admission.established(origin)
        queue.release(origin)
    }

    /// An exchange is over. If it was a probe without a connection, returns the one that tries next.
    mutating func ended(_ exchange: Exchange) -> Exchange? {
        guard exchange.state.isProbe else { return nil }
        // libcurl before 7.80 doesn't report connections.
        guard !exchange.state.isReceiving else {
            reached(exchange)
            return nil
        }
        exchange.state.isProbe = false
        let origin = exchange.request.url.origin
        guard admission.ended(origin) else { return nil }
        while let next = queue.popHeld(origin) {
            if next.state.wait != nil { return next }
        }
        return nil
    }
}
#endif
