import GodwitCore

// Exchanges begin a few at a time: each new connection costs some 75 microseconds, and a crowd of them would hold up all
// other exchanges.
extension Engine {
    /// How many exchanges libcurl begins before the time is looked at.
    private static let startsAtOnce = 20

    func start(_ exchange: Exchange) {
        guard !isShutDown else { return exchange.fail(.shutdown, phase: .building) }
        if exchange.request.url.scheme == .https, trust.keeps(exchange, at: now) { return }
        startSoon(exchange)
    }

    private func startSoon(_ exchange: Exchange) {
        if starting.isEmpty, startsInTurn < Self.startsAtOnce {
            startsInTurn += 1
            startNow(exchange)
        } else {
            starting.append(exchange, to: exchange.request.url.origin)
        }
    }

    /// Certificates were loaded: goes on with what waited for them.
    func trustLoaded(_ stores: TrustStores?) {
        for exchange in trust.loaded(stores, at: now) { startSoon(exchange) }
    }

    /// Whether the next turn has to begin at once.
    var hasMoreToDo: Bool { !starting.isEmpty || !ending.isEmpty || hasMoreEnded }

    /// Begins those that wait, as many as the turn has time for.
    func startWaiting() {
        startsInTurn = 0
        guard !starting.isEmpty else { return }
        repeat {
            for _ in 0..<Self.startsAtOnce {
                guard let exchange = starting.popFirst() else { return }
                startNow(exchange)
            }
            actOnTimers()
        } while budget.hasTime(for: .starts)
    }

    /// Fails those that were not begun.
    func cancelWaiting() {
        for exchange in starting.removeAll() + trust.giveUp() { exchange.fail(.cancelled, phase: .connecting) }
    }
}
