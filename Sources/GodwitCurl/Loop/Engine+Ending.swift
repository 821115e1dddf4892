import GodwitCore

// What ends exchanges from our side. A thousand that end in the same moment take turns.
extension Engine {
    /// How many exchanges end before the time is looked at.
    private static let endsAtOnce = 8

    func cancel(_ exchange: Exchange) {
        exchange.isCancelled = true
        guard exchange.isActive else { return }
        if endsInTurn < Self.endsAtOnce {
            endsInTurn += 1
            end(exchange, .cancelled)
        } else {
            ending.append(exchange, .cancelled)
        }
    }

    /// Ends those that are due, as many as the turn has time for.
    func endWaiting() {
        if ending.isEmpty, deadlines.isDue(at: now) { collectExpired() }
        endsInTurn = 0
        guard !ending.isEmpty else { return }
        repeat {
            for _ in 0..<Self.endsAtOnce {
                guard let (exchange, reason) = ending.popFirst() else { return }
                end(exchange, reason)
            }
        } while budget.hasTime(for: .ends)
    }

    /// Exchanges that waited to share a connection that did not come about have waited as long, and would else try next,
    /// one after the other.
    private func collectExpired() {
        let expired = deadlines.scan(active, at: now)
        giveUpSilentConnections(of: expired)
        var origins: Set<Origin> = []
        for exchange in expired where exchange.isActive {
            ending.append(exchange, .expired)
            if exchange.expiredStage(at: now) == .connect { origins.insert(exchange.request.url.origin) }
        }
        guard !origins.isEmpty else { return }
        for exchange in active
        where exchange.hasQueuedTooLong(at: now) && origins.contains(exchange.request.url.origin) {
            ending.append(exchange, .queuedTooLong)
        }
    }

    /// Ends an exchange, unless it ended by itself or moved on since it was noted.
    private func end(_ exchange: Exchange, _ reason: EndQueue.Reason) {
        guard exchange.isActive else { return }
        switch reason {
        case .cancelled:
            if !isShutDown { giveUpSilentConnection(ofCancelled: exchange) }
            fail(exchange, .cancelled)
        case .expired:
            guard let deadline = exchange.deadline, deadline <= now else { return note(exchange.deadline) }
            fail(exchange, .timedOut(exchange.expiredStage(at: now)))
        case .queuedTooLong:
            // Meanwhile it may be the next to try.
            guard exchange.hasWaitedTooLongToConnect(at: now) else { return }
            fail(exchange, .timedOut(.connect))
        }
    }

    private func fail(_ exchange: Exchange, _ kind: NetworkError.Kind) {
        let phase = exchange.phase
        remove(exchange)
        exchange.fail(kind, phase: phase)
    }
}
