#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

// Exchanges end by themselves, by a cancellation, or by a deadline.
extension Engine {
    // MARK: By themselves

    func finishEndedExchanges() {
        ends.hasMoreEnded = false
        var count = 0
        while let (handle, code) = connections.multis.nextFinished() {
            guard let exchange = handle.exchange else { continue }
            if code == CURLE_OK, exchange.isWarmUp, connections.awaitsSettings(exchange) { continue }
            if continues(exchange, after: code) { continue }
            end(exchange, code)
            count += 1
            // Such as the streams of a connection that broke.
            guard count % 32 == 0, !budget.hasTime(for: .ends) else { continue }
            ends.hasMoreEnded = true
            return
        }
    }

    /// Ends exchanges whose response is complete while their stream is still sent. libcurl would end them with the stream, and
    /// close their connections as it does now.
    func endAnsweredEarly() {
        for exchange in connections.multis.takeAnsweredEarly() where exchange.isActive && exchange.hasEarlyAnswer {
            end(exchange, CURLE_OK)
        }
    }

    /// Whether an exchange is not over although its transfer ended, as libcurl has it again.
    private func continues(_ exchange: Exchange, after code: CURLcode) -> Bool {
        guard let handle = exchange.handle else { return false }
        if code != CURLE_OK, connections.http3.choosesAgain(exchange) {
            return restart(handle) { handle.prepare(for: exchange) }
        }
        switch exchange.transferEnded(code) {
        case .finish, .fail: return false
        case .connectElsewhere:
            return restart(handle) {
                handle.useNewConnection()
                return true
            }
        case .makeRoom:
            guard connections.makeRoom() else {
                exchange.failure = exchange.error(.transport(.tooManyOpenFiles), .connecting)
                return false
            }
            return restart(handle) { true }
        case .sendAgain:
            let isRestarted = restart(handle) {
                handle.keepConnectionAfterwards()
                connections.http3.choose(for: exchange)
                return handle.prepare(for: exchange)
            }
            if isRestarted { ends.note(exchange.deadline) }
            return isRestarted
        }
    }

    /// Gives libcurl a handle again once it is prepared; false if it can't be.
    private func restart(_ handle: EasyHandle, _ prepare: () -> Bool) -> Bool {
        connections.multis.remove(handle)
        return prepare() && connections.multis.current.add(handle)
    }

    /// libcurl ended the last transfer of an exchange.
    func end(_ exchange: Exchange, _ code: CURLcode) {
        let isOver = exchange.endTransfer(code)
        perform(exchange.takeEffects(), of: exchange)
        if isOver { remove(exchange, outcome: code) }
    }

    /// Removes an exchange from libcurl. With an outcome, it has ended by itself and reports it.
    func remove(_ exchange: Exchange, outcome: CURLcode? = nil) {
        guard let handle = exchange.handle else { return }
        if let outcome {
            exchange.conclude(with: outcome)
            perform(exchange.takeEffects(), of: exchange)
        }
        exchange.recordMetrics()
        if exchange.metrics.protocolVersion == .http2 || exchange.metrics.protocolVersion == .http3 {
            starts.noteShared(exchange.request.url.origin)
        }
        if let connection = upgrades.take(exchange) {
            forget(exchange)
            upgrades.close(connection)
        } else {
            if exchange.isWarmUp { connections.endWarmUp(exchange) }
            connections.multis.remove(handle)
            forget(exchange)
            handles.recycle(handle, after: outcome)
        }
        guard outcome != nil else { return }
        pace.ended(at: now)
        exchange.settle()
        ends.answer(exchange)
    }

    /// libcurl doesn't have an exchange any more.
    func forget(_ exchange: Exchange) {
        probeEnded(exchange)
        streams.forget(exchange)
        connections.remove(exchange)
    }

    // MARK: By a cancellation or a deadline

    func cancel(_ exchange: Exchange) {
        exchange.state.cancel()
        guard exchange.isActive || exchange.state.wait != nil else { return }
        if ends.cancel(exchange) { end(exchange, .cancelled) }
    }

    /// Cancels all exchanges, active or waiting.
    func cancelAll() {
        starts.forEach { exchange in
            if exchange.state.wait != nil { ends.append(exchange, .cancelled) }
        }
        starts.removeAll()
        for exchange in connections.active { cancel(exchange) }
        for connection in upgrades.all { connection.cancel() }
    }

    /// Ends as many due exchanges as the turn has time for.
    func endWaiting() {
        ends.beginTurn()
        if ends.isEmpty {
            guard let due = ends.nextScan, due <= now else { return }
            collectExpired()
            // Scanning ten thousand took some time already.
            guard budget.hasTime(for: .ends) else { return }
        }
        // Before the first of them ends, and libcurl lets another one try.
        if ends.collectLate(connections.active, at: now), !budget.hasTime(for: .ends) { return }
        repeat {
            for _ in 0..<Ends.atOnce {
                guard let (exchange, reason) = ends.next(&starts, at: now) else { return }
                end(exchange, reason)
            }
        } while budget.hasTime(for: .ends)
    }

    private func collectExpired() {
        let expired = ends.scan(connections.active, at: now)
        // Thousands that never got a connection need no check.
        let sent = expired.filter { $0.state.sendCount > 0 }
        if !sent.isEmpty { fail(connections.giveUpSilent(of: sent.filter { !$0.hasMovedUnseen(at: now) })) }
        // An exchange that moved has a later deadline by now, which `end` finds.
        for exchange in expired where exchange.isActive { ends.expire(exchange, at: now) }
        ends.note(starts.expire(at: now) { ends.append($0, .expired) })
    }

    /// Ends an exchange, unless it ended by itself or moved since it was noted.
    private func end(_ exchange: Exchange, _ reason: Ends.Reason) {
        guard exchange.isActive else { return endWaiting(exchange, reason) }
        switch reason {
        case .cancelled:
            if !ends.isShutDown { connections.giveUpSilent(ofCancelled: exchange) }
            fail(exchange, .cancelled)
        case .expired:
            guard let deadline = exchange.deadline, deadline <= now else { return ends.note(exchange.deadline) }
            fail(exchange, .timedOut(exchange.expiredStage(at: now)))
        case .queuedTooLong:
            // It may be the next to try by now.
            guard exchange.hasWaitedTooLongToConnect(at: now) else { return }
            fail(exchange, .timedOut(.connect))
        }
    }

    /// Ends an exchange that was not started. Its queue then skips it.
    private func endWaiting(_ exchange: Exchange, _ reason: Ends.Reason) {
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

    /// Fails exchanges whose connections were given up.
    func fail(_ losses: [Connections.Loss]) {
        for (exchange, reason) in losses where exchange.isActive {
            fail(exchange, .transport(.connectionLost("given up: \(reason)")))
        }
    }

    private func fail(_ exchange: Exchange, _ kind: NetworkError.Kind) {
        let phase = exchange.state.errorPhase
        remove(exchange)
        exchange.fail(kind, phase: phase)
    }
}
#endif
