import GodwitCore

// Cancellations and timeouts. If thousands are due together, they take several turns of the loop (decision 027).
extension Engine {
    /// How many exchanges end before the time is checked.
    private static let endsAtOnce = 2

    func cancel(_ exchange: Exchange) {
        exchange.state.cancel()
        guard exchange.isActive || exchange.state.wait != nil else { return }
        if endsInTurn < Self.endsAtOnce {
            endsInTurn += 1
            end(exchange, .cancelled)
        } else {
            ending.append(exchange, .cancelled)
        }
    }

    /// Cancels all exchanges, active or waiting.
    func cancelAll() {
        starts.forEach { exchange in
            if exchange.state.wait != nil { ending.append(exchange, .cancelled) }
        }
        starts.removeAll()
        for exchange in active { cancel(exchange) }
        for connection in upgrades.all { connection.cancel() }
    }

    /// Ends as many due exchanges as the turn has time for.
    func endWaiting() {
        endsInTurn = 0
        if ending.isEmpty, lateGroups.isEmpty {
            guard deadlines.isDue(at: now) else { return }
            collectExpired()
            // Scanning ten thousand took some time already.
            guard budget.hasTime(for: .ends) else { return }
        }
        if !lateOrigins.isEmpty {
            // Before the first of them ends, and libcurl lets another one try.
            collectQueued()
            guard budget.hasTime(for: .ends) else { return }
        }
        repeat {
            for _ in 0..<Self.endsAtOnce {
                guard endNext() else { return }
            }
        } while budget.hasTime(for: .ends)
    }

    /// False if nothing has to end.
    private func endNext() -> Bool {
        // Those that have not started come first, or they would start instead of those that end.
        if let origin = lateGroups.last {
            if let exchange = starts.popLate(origin, at: now) {
                end(exchange, .queuedTooLong)
            } else {
                lateGroups.removeLast()
            }
            return true
        }
        guard let (exchange, reason) = ending.popFirst() else { return false }
        end(exchange, reason)
        return true
    }

    private func collectExpired() {
        let expired = deadlines.scan(active, at: now)
        // Thousands that never got a connection need no check.
        let sent = expired.filter { $0.state.sendCount > 0 }
        if !sent.isEmpty { giveUpSilentConnections(of: sent.filter { !$0.hasMovedUnseen(at: now) }) }
        // An exchange that moved has a later deadline by now, which `end` finds.
        for exchange in expired where exchange.isActive {
            ending.append(exchange, .expired)
            if exchange.expiredStage(at: now) == .connect { lateOrigins.insert(exchange.request.url.origin) }
        }
        note(starts.expire(at: now) { ending.append($0, .expired) })
    }

    /// Notes exchanges that waited as long to share the late connection. Otherwise they would try next, one after the other.
    private func collectQueued() {
        let origins = lateOrigins
        lateOrigins = []
        for exchange in active
        where exchange.hasQueuedTooLong(at: now) && origins.contains(exchange.request.url.origin) {
            ending.append(exchange, .queuedTooLong)
        }
        lateGroups += origins
    }

    /// Ends an exchange, unless it ended by itself or moved since it was noted.
    private func end(_ exchange: Exchange, _ reason: EndQueue.Reason) {
        guard exchange.isActive else { return endWaiting(exchange, reason) }
        switch reason {
        case .cancelled:
            if !isShutDown { giveUpSilentConnection(ofCancelled: exchange) }
            fail(exchange, .cancelled)
        case .expired:
            guard let deadline = exchange.deadline, deadline <= now else { return note(exchange.deadline) }
            fail(exchange, .timedOut(exchange.expiredStage(at: now)))
        case .queuedTooLong:
            // It may be the next to try by now.
            guard exchange.hasWaitedTooLongToConnect(at: now) else { return }
            fail(exchange, .timedOut(.connect))
        }
    }

    /// Ends an exchange that was not started. Its queue then skips it.
    private func endWaiting(_ exchange: Exchange, _ reason: EndQueue.Reason) {
        guard exchange.state.wait != nil else { return }
        exchange.state.wait(until: nil)
        let kind: NetworkError.Kind =
            switch reason {
            case .cancelled: .cancelled
            case .expired: .timedOut(.total)
            case .queuedTooLong: .timedOut(.connect)
            }
        exchange.fail(kind, phase: .connecting)
        probeEnded(exchange)
    }

    private func fail(_ exchange: Exchange, _ kind: NetworkError.Kind) {
        let phase = exchange.state.errorPhase
        remove(exchange)
        exchange.fail(kind, phase: phase)
    }
}
