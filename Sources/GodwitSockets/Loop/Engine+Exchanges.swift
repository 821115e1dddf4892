#if os(Linux)
import GodwitCore
import GodwitTLS

// Exchanges start, wait, move on and end.
extension Engine {
    // MARK: Starting

    /// A caller's exchange arrived.
    func start(_ exchange: Exchange) {
        exchange.enter(resources)
        if isShutDown { return refuse(exchange, .shutdown, .building) }
        if exchange.state.isCancelled { return refuse(exchange, .cancelled, .connecting) }
        exchange.slot = active.count
        active.append(exchange)
        note(exchange.timing?.deadline)
        guard exchange.request.url.scheme == .https || hasProxyTLS, trust.isMissing(at: now) else {
            return queue(exchange)
        }
        untrusted.append(exchange)
    }

    private func refuse(_ exchange: Exchange, _ kind: NetworkError.Kind, _ phase: NetworkError.Phase) {
        exchange.setFailure(kind, phase)
        exchange.settle()
        if let caller = exchange.takeCaller() { callers.append(caller) }
    }

    /// Whether connections with a proxy may use TLS.
    private var hasProxyTLS: Bool { settings.proxies.mayUseTLS }

    /// Certificates were loaded: what waited for them can start.
    func trustLoaded(_ stores: TrustStores) {
        trust.loaded(stores, at: now)
    }

    func startTrusted() {
        guard !untrusted.isEmpty, !trust.isMissing(at: now) else { return }
        while let exchange = untrusted.popFirst() {
            if !exchange.state.isOver { queue(exchange) }
        }
    }

    /// Gives an exchange a connection, now or when there is one.
    private func queue(_ exchange: Exchange) {
        let route: Route
        switch routes.route(for: exchange, in: &pool) {
        case .success(let found): route = found
        case .failure(let error):
            exchange.setFailure(error)
            return finish(exchange)
        }
        exchange.route = route
        while waiting.count <= route.group {
            waiting.append(Line())
            waitingCounts.append(0)
        }
        if exchange.isWarmUp { return warmUp(exchange, route) }
        waiting[route.group].append(exchange)
        waitingCounts[route.group] += 1
        serveWaiting(route)
        guard exchange.state.isWaiting, pool.dialingCount(of: route.group) > 0 else { return }
        // Only those for which a connection is being made, or that will share one, have a limit for connecting.
        guard route.mayShare || pool.dialingCount(of: route.group) >= waitingCounts[route.group] else { return }
        exchange.state.dial()
        exchange.timing?.connecting(at: now)
        note(exchange.timing?.deadline)
    }

    /// The exchange that has waited longest in a group.
    func firstWaiting(_ group: Int) -> Exchange? {
        while let exchange = waiting[group].first {
            if !exchange.state.isOver { return exchange }
            _ = waiting[group].popFirst()
        }
        return nil
    }

    // MARK: Moving

    func resumeReceiving(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        exchange.flow.isFull = false
        advance(exchange)
    }

    func resumeSending(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        exchange.carrier?.resumeSending(exchange)
    }

    func flushReceived() {
        // An exchange that resumes delivers what its connection held back, which must not wait while the loop sleeps.
        while !unflushed.isEmpty {
            let due = unflushed
            unflushed.removeAll(keepingCapacity: true)
            for exchange in due where exchange.flush() { advance(exchange) }
            if !budget.hasTime(for: .decoding) { return }
        }
    }

    /// Decodes a little of each body that expands to more than its sink takes, or than a turn has time for, and again while the
    /// turn has time (decision 083).
    func decodeWaiting() {
        while let exchange = undecoded.popFirst() {
            decode(exchange)
            guard budget.hasTime(for: .decoding) else { return }
        }
    }

    private func decode(_ exchange: Exchange) {
        // It may have been canceled meanwhile.
        guard !exchange.state.isOver else { return }
        switch exchange.decode() {
        case .done: advance(exchange)
        case .refused: gaveUp(exchange)
        case .slow(let decoder):
            // No other thread uses it until then.
            nonisolated(unsafe) let decoder = decoder
            Task.detached { [loop] in
                decoder.prepare()
                loop.post(.decoded(exchange))
            }
        }
    }

    /// A long step was done on another thread.
    func decoded(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        exchange.flow.comeBack()
        advance(exchange)
    }

    // MARK: Ending

    func cancel(_ exchange: Exchange) {
        exchange.state.cancel()
        guard !exchange.state.isOver, exchange.slot >= 0 else { return }
        if !isShutDown { giveUpSilent(ofCanceled: exchange) }
        end(exchange, .cancelled)
    }

    /// Ends an exchange before its response is complete.
    func end(
        _ exchange: Exchange, _ kind: NetworkError.Kind, _ phase: NetworkError.Phase? = nil, lackedRoute: Bool = false
    ) {
        guard !exchange.state.isOver else { return }
        exchange.setFailure(kind, phase, lackedRoute: lackedRoute)
        let carrier = exchange.carrier
        exchange.carrier = nil
        if carrier == nil, exchange.state.isWaiting { stopWaiting(exchange) }
        finish(exchange)
        carrier?.abandon(exchange)
    }

    private func stopWaiting(_ exchange: Exchange) {
        guard let route = exchange.route, !exchange.isWarmUp else { return }
        exchange.state.finish()
        waitingCounts[route.group] -= 1
        if waitingCounts[route.group] == 0 {
            waiting[route.group] = Line()
            cancelDials(of: route.group)
        }
    }

    /// It is over: its caller is resumed at the end of the turn.
    func finish(_ exchange: Exchange) {
        exchange.settle()
        remove(exchange)
        if let caller = exchange.takeCaller() { callers.append(caller) }
    }

    /// An exchange is not under way any more.
    func remove(_ exchange: Exchange) {
        guard exchange.slot >= 0 else { return }
        let last = active.removeLast()
        if last !== exchange {
            active[exchange.slot] = last
            last.slot = exchange.slot
        }
        exchange.slot = -1
    }

    // MARK: Deadlines

    /// Scans are at least this many nanoseconds apart, so that many exchanges cost few scans.
    private static let scanInterval: Int64 = 10_000_000

    /// Ends what has taken too long.
    ///
    /// Every byte moves an exchange's deadline, so a sorted queue would change with each byte. Instead the earliest deadline that
    /// was noted is kept. When it is due, one scan finds what expired, and when to scan next.
    func endDue() {
        if let due = nextScan, due <= now { scan() }
        while let (exchange, kind) = ending.popFirst() {
            end(exchange, kind)
            guard budget.hasTime(for: .ends) else { return }
        }
    }

    private func scan() {
        nextScan = nil
        for exchange in active {
            guard let deadline = exchange.timing?.deadline else { continue }
            if deadline <= now, let stage = exchange.expiredStage(at: now) {
                ending.append((exchange, .timedOut(stage)))
                giveUpSilent(exchange, stage)
            } else if let next = exchange.timing?.deadline {
                note(max(next, now + Self.scanInterval))
            }
        }
    }
}

extension Engine: ExchangeServices {
    var hasTime: Bool { budget.hasTime(for: .events) }

    func note(_ deadline: LoopTime?) {
        nextScan = .earlier(nextScan, deadline)
    }

    func flushSoon(_ exchange: Exchange) { unflushed.append(exchange) }

    func advance(_ exchange: Exchange) {
        guard !exchange.state.isOver else { return }
        switch exchange.flow.advance() {
        case .wait: break
        case .queue: undecoded.append(exchange)
        case .resume:
            exchange.noteActivity(of: .reader)
            exchange.carrier?.resumeReceiving(exchange)
        case .finish:
            exchange.conclude()
            finish(exchange)
        }
    }
}
#endif
