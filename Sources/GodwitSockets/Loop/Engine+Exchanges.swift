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
        add(exchange)
        guard exchange.request.url.scheme == .https || hasProxyTLS, trust.isMissing(at: now) else {
            return queue(exchange)
        }
        untrusted.append(exchange)
    }

    private func refuse(_ exchange: Exchange, _ kind: NetworkError.Kind, _ phase: NetworkError.Phase) {
        exchange.setFailure(kind, phase)
        finish(exchange)
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

    // MARK: Ending

    func cancel(_ exchange: Exchange) {
        exchange.state.cancel()
        guard !exchange.state.isOver, exchange.slot >= 0 else { return }
        if !isShutDown { suspectSilence(of: exchange, SilenceRule.Ending(cancelled: exchange, at: now)) }
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

    /// Ends what has taken too long, as many as the turn has time for.
    func endDue() {
        scanIfDue()
        while let (exchange, kind) = ending.popFirst() {
            end(exchange, kind)
            guard work.budget.hasTime(for: .ends) else { return }
        }
    }
}

extension Engine: ExchangeEngine {
    var mailbox: any ExchangeMailbox { inbox }

    func expired(_ exchange: Exchange, _ stage: NetworkError.Stage) {
        ending.append((exchange, .timedOut(stage)))
        suspectSilence(of: exchange, SilenceRule.Ending(exchange, expiredIn: stage, at: now))
    }
}
#endif
