#if os(Linux)
import GodwitCore
import GodwitSockets

// Exchanges start when ``StartFacts`` says so, and wait in ``Starts`` until then.
extension Engine {
    /// A caller's exchange arrived.
    func start(_ exchange: Exchange) {
        var facts = StartFacts(isShutDown: ends.isShutDown, isCancelled: exchange.state.isCancelled)
        facts.lacksTLS = connections.http3.needsTLS(exchange)
        facts.lacksTrust = exchange.request.url.scheme == .https && resources.trust.isMissing(at: now)
        decide(exchange, facts)
    }

    private func decide(_ exchange: Exchange, _ facts: StartFacts = StartFacts()) {
        let mayShare =
            exchange.request.url.scheme == .https && resources.configuration.protocols.mayShare(.https)
            && !exchange.isUpgrade
        switch starts.decide(exchange, facts, mayShare: mayShare) {
        case .begin: begin(exchange)
        case .wait(let reason): ends.note(starts.wait(exchange, for: reason, at: now))
        case .refuse(.shutDown): exchange.fail(.shutdown, phase: .building)
        case .refuse(.cancelled): exchange.fail(.cancelled, phase: .connecting)
        case .refuse(.lacksTLS):
            let library = resources.configuration.features.library
            exchange.fail(.unsupported(feature: "HTTP/3 without TLS", on: library), phase: .connecting)
        }
    }

    /// Gives an exchange to libcurl.
    func begin(_ exchange: Exchange) {
        noteStart()
        starts.begin(exchange)
        connections.http3.choose(for: exchange)
        guard let handle = handles.take(for: exchange, of: self) else {
            return refuse(exchange, .other("out of memory"))
        }
        if exchange.isUpgrade { return startUpgrade(exchange, on: handle) }
        guard exchange.start(on: handle), connections.multis.current.add(handle) else {
            connections.detach(exchange)
            // The handle may be at fault: the next exchange gets another.
            handle.free()
            return refuse(exchange, .other("libcurl refused the exchange"))
        }
        activate(exchange)
    }

    /// libcurl has an exchange.
    func activate(_ exchange: Exchange) {
        connections.add(exchange)
        ends.note(exchange.deadline)
    }

    /// Ends an exchange that libcurl didn't get.
    func refuse(_ exchange: Exchange, _ failure: NetworkError.TransportFailure) {
        exchange.fail(.transport(failure), phase: .connecting)
        probeEnded(exchange)
    }

    /// Certificates were loaded: what waited for them can start.
    func trustLoaded(_ stores: TrustStores?) {
        resources.trust.loaded(stores, at: now)
    }

    /// Starts as many waiting exchanges as the turn has time for.
    func startWaiting() {
        defer { starts.count = 0 }
        guard starts.isReady || starts.hasUntrusted else { return }
        // Other work may have used the turn's time: a few start nevertheless.
        let most = budget.hasTime(for: .starts) ? Starts.atOnce : Starts.atOnce / 3
        repeat {
            starts.count = 0
            while starts.count < most {
                guard startNext() else { return }
            }
            connections.multis.actOnTimers(dueAt: now)
        } while budget.hasTime(for: .starts)
    }

    /// False if nothing can be started.
    private func startNext() -> Bool {
        // An exchange without a wait has ended in its queue.
        if let exchange = starts.next() {
            if exchange.state.wait != nil { begin(exchange) }
            return true
        }
        guard starts.hasUntrusted, !resources.trust.isMissing(at: now), let exchange = starts.nextUntrusted() else {
            return false
        }
        guard exchange.state.wait != nil else { return true }
        starts.count += 1
        exchange.state.wait(until: nil)
        decide(exchange)
        return true
    }

    // MARK: Origins without a connection yet

    /// An exchange ended. If it had no connection yet, the next one tries.
    func probeEnded(_ exchange: Exchange) {
        if let next = starts.ended(exchange) { decide(next) }
    }
}
#endif
