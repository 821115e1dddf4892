#if os(Linux)
import GodwitCore

/// Whether calls come one at a time, and are answered soon.
struct Pace {
    /// How many of the last exchanges had no other beside them when they ended, up to ``enough``; and how many of these were
    /// answered soon.
    private var alone = 0
    private var soon = 0
    private var lastEnd = LoopTime.zero

    private static let enough = 8
    /// In nanoseconds.
    static let soonEnough: Int64 = 200_000
    /// How long a connection is left to callers after an answer, in nanoseconds.
    private static let holdTime: Int64 = 50_000_000

    var isAlone: Bool { alone == Self.enough }
    var isSoon: Bool { soon == Self.enough }
    /// Until when the next caller may come, and wait for its answer itself; `nil` if none is expected.
    var expectsCallers: LoopTime? { isSoon ? lastEnd + Self.holdTime : nil }

    mutating func ended(isAlone: Bool, from start: LoopTime, to end: LoopTime) {
        alone = isAlone ? min(alone + 1, Self.enough) : 0
        soon = isAlone && end.nanoseconds(after: start) <= Self.soonEnough ? min(soon + 1, Self.enough) : 0
        lastEnd = end
    }
}

// A caller that is alone takes the turn of the sleeping loop (decision 118).
extension Engine {
    /// Whether callers may take the turn while the loop sleeps.
    var givesTurn: Bool { work.pace.isAlone && work.isEmpty && !isShutDown }

    /// Starts an exchange, and waits for its answer if answers come soon. Returns `false` if it isn't alone.
    func runAlone(_ exchange: Exchange) -> Bool {
        guard givesTurn else { return false }
        work.beginTurn()
        isCallersTurn = true
        start(exchange)
        isCallersTurn = false
        finishTurn()
        if work.pace.isSoon { awaitAnswer(exchange) }
        if let next = nextTurn, wakeUp.map({ next < $0 }) ?? true { inbox.ring() }
        return true
    }

    private func awaitAnswer(_ exchange: Exchange) {
        let end = now + Pace.soonEnough
        while !exchange.state.isOver, now <= end, let socket = socket(of: exchange) {
            hold(socket)
            // A caller that has waited so long once won't wait for the next answers.
            guard socket.wait(milliseconds: 1, or: inbox.signal) else { break }
            work.beginTurn()
            finishTurn()
        }
        if !exchange.state.isOver {
            letGo()
            inbox.silence()
        }
    }

    /// In a turn that did not begin with a wait for events: what arrived on an idle connection, or its end, is not noticed yet, and
    /// must not be taken for the answer.
    func noticeEvents(of connection: any PooledConnection) {
        if isCallersTurn { _ = connection.connection.socket.wait(milliseconds: 0, or: -1) }
    }

    private func socket(of exchange: Exchange) -> Socket? {
        switch exchange.carrier {
        case let connection as HTTP1Connection: connection.connection.socket
        case let stream as HTTP2Stream: stream.owner.connection.socket
        default: nil
        }
    }

    /// The loop isn't woken by this socket's events any more.
    private func hold(_ socket: Socket) {
        guard held !== socket else { return }
        letGo()
        socket.isPaused = true
        held = socket
    }

    /// The loop watches all connections again. What one has, it has to know before it is used.
    func letGo() {
        guard let socket = held.take() else { return }
        socket.isPaused = false
        _ = socket.wait(milliseconds: 0, or: -1)
    }

    /// Watches the connection again if no caller has waited for it lately.
    func letGoIfDue() {
        if held != nil, work.pace.expectsCallers.map({ $0 <= now }) ?? true { letGo() }
    }
}

extension Exchange {
    /// Whether its caller's thread may start it: nothing may have to be waited for but the connection.
    var mayRunAlone: Bool {
        guard case .buffered = request.delivery, !isUpgrade, !isWarmUp else { return false }
        guard let body = request.body else { return true }
        return body.isReplayable && !isExpecting && (body.length ?? .max) <= 64 << 10
    }
}
#endif
