#if os(Linux)
import GodwitCore

// A caller that is alone takes the turn of the sleeping loop (decision 118).
extension Engine {
    /// Whether callers may take the turn while the loop sleeps.
    var givesTurn: Bool { work.pace.isAlone && work.isEmpty && !isShutDown }

    /// Starts an exchange, and waits for its answer if answers come soon. Returns `false` if it isn't alone.
    func runAlone(_ exchange: Exchange) -> Bool {
        guard givesTurn else { return false }
        work.beginTurn()
        start(exchange)
        finishTurn()
        if work.pace.isSoon { awaitAnswer(exchange) } else { letGo() }
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

    /// The loop watches all connections again.
    func letGo() {
        held.take()?.isPaused = false
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
