import GodwitCore

// Exchanges start a few at a time: a new connection costs some 75 microseconds, with TLS on this machine half a millisecond,
// and thousands of them would hold up all other exchanges (decision 027).
extension Engine {
    /// How many exchanges start before the time is checked. One that may open a connection with TLS counts as four.
    private static let startsAtOnce = 12

    func start(_ exchange: Exchange) {
        guard !isShutDown else { return exchange.fail(.shutdown, phase: .building) }
        guard !exchange.state.isCancelled else { return exchange.fail(.cancelled, phase: .connecting) }
        let origin = exchange.request.url.origin
        guard origin.scheme == .https else { return startSoon(exchange, origin) }
        if trust.isMissing(at: now) { return wait(exchange, in: &untrusted, origin) }
        startSecurely(exchange, origin)
    }

    private func startSecurely(_ exchange: Exchange, _ origin: Origin) {
        guard configuration.protocols.mayShare(.https), exchange.options.upgrade == nil else {
            return startSoon(exchange, origin)
        }
        let (isAdmitted, isProbe) = admission.admit(origin)
        exchange.state.isProbe = isProbe
        if isAdmitted { startSoon(exchange, origin) } else { wait(exchange, in: &starting, origin, isHeld: true) }
    }

    private func startSoon(_ exchange: Exchange, _ origin: Origin) {
        guard !starting.isReady, startsInTurn < Self.startsAtOnce else { return wait(exchange, in: &starting, origin) }
        start(now: exchange)
    }

    private func wait(
        _ exchange: Exchange, in queue: inout StartQueue<Origin, Exchange>, _ origin: Origin, isHeld: Bool = false
    ) {
        let wait = StartLimits(TimeLimits(exchange.options.timeouts), at: now)
        exchange.state.wait(until: wait)
        queue.append(exchange, to: origin, isHeld: isHeld)
        guard let total = wait.total else { return }
        waitingDeadline = .earlier(waitingDeadline, total)
        note(total)
    }

    private func start(now exchange: Exchange) {
        exchange.state.wait(until: nil)
        startsInTurn += exchange.request.url.scheme == .https && !isShared(exchange) ? 4 : 1
        startNow(exchange)
    }

    /// Whether the exchange most likely shares a connection that is there.
    private func isShared(_ exchange: Exchange) -> Bool {
        sharedOrigin == exchange.request.url.origin
    }

    /// Certificates were loaded: what waited for them can start.
    func trustLoaded(_ stores: TrustStores?) {
        trust.loaded(stores, at: now)
    }

    /// Whether the next turn has to start without waiting for events.
    var hasMoreToDo: Bool {
        starting.isReady || !ending.isEmpty || !lateGroups.isEmpty || hasMoreEnded || !undecoded.isEmpty
            || untrusted.isReady && !trust.isMissing(at: now)
    }

    /// Starts as many waiting exchanges as the turn has time for.
    func startWaiting() {
        defer { startsInTurn = 0 }
        guard starting.isReady || !untrusted.isEmpty else { return }
        // Other work may have used the turn's time: a few start nevertheless.
        let most = budget.hasTime(for: .starts) ? Self.startsAtOnce : Self.startsAtOnce / 3
        repeat {
            startsInTurn = 0
            while startsInTurn < most {
                guard startNext() else { return }
            }
            actOnTimers()
        } while budget.hasTime(for: .starts)
    }

    /// False if nothing can be started.
    private func startNext() -> Bool {
        if let exchange = starting.popFirst() {
            // It may have ended in the queue.
            if exchange.state.wait != nil { start(now: exchange) }
            return true
        }
        guard !untrusted.isEmpty, !trust.isMissing(at: now), let exchange = untrusted.popFirst() else { return false }
        guard exchange.state.wait != nil else { return true }
        exchange.state.wait(until: nil)
        startsInTurn += 1
        startSecurely(exchange, exchange.request.url.origin)
        return true
    }

    // MARK: Origins without a connection yet

    /// A handle's connection is established, and carries an exchange.
    func established(_ handle: EasyHandle, for exchange: Exchange) -> NetworkError.Kind? {
        let fault = settleVersion(exchange, on: races.established(handle))
        if exchange.state.isProbe { reached(exchange) }
        return fault
    }

    private func reached(_ probe: Exchange) {
        probe.state.isProbe = false
        admission.established(probe.request.url.origin)
        starting.release(probe.request.url.origin)
    }

    /// An exchange ended. If it had no connection yet, the next one tries.
    func probeEnded(_ exchange: Exchange) {
        guard exchange.state.isProbe else { return }
        // libcurl before 7.80 doesn't report connections.
        if exchange.state.isReceiving { return reached(exchange) }
        exchange.state.isProbe = false
        let origin = exchange.request.url.origin
        guard admission.ended(origin) else { return }
        while let next = starting.popHeld(origin) {
            guard next.state.wait != nil else { continue }
            next.state.isProbe = admission.admit(origin).isProbe
            return startSoon(next, origin)
        }
    }
}
