import CGodwitCurl
import GodwitCore

// Kept connections: libcurl keeps them, and this decides when one is closed. To end a connection, its socket is shut down; every
// version of libcurl then finds it dead, and closes it when it is pruned (decision 019).
extension Engine {
    /// When kept connections have to be maintained.
    var upkeepDeadline: LoopTime? { .earlier(poller.nextSweep, upkeep.pruneDue) }

    func maintainConnections() {
        if let due = poller.nextSweep, due <= now { sweep() }
        if let due = upkeep.pruneDue, due <= now { prune() }
    }

    /// Something happened on a connection that no exchange watches.
    func serveUnwatched(_ descriptor: Int32, _ events: UInt32) {
        if let exchange = warming[descriptor] { return serveWarmUp(exchange) }
        guard let connection = poller[descriptor], connection.isPooled, !connection.hasEnded,
            !pausedConnections.contains(descriptor)
        else { return poller.remove(descriptor) }
        // It is only writable, which its last exchange waited for.
        guard events & ~godwit_epoll_out != 0 else { return poller.awaitBytes(descriptor) }
        // Between two exchanges of HTTP/1.1 only the end may arrive, which TLS announces with bytes.
        if connection.sharing == .exclusive || godwit_has_hung_up(descriptor) != 0 {
            poller.end(descriptor)
        } else {
            poller.awaitClose(descriptor)
            upkeep.noteUnread(descriptor)
        }
        upkeep.requestPrune(at: now)
    }

    /// Closes what is idle for too long or too old.
    private func sweep() {
        poller.nextSweep = nil
        if let onFirstKept = upkeep.onFirstKept.take() {
            onFirstKept()
            poller.sweepDelay = upkeep.rules.delay
        }
        let paused = pausedConnections
        var isOverdue = false
        for descriptor in poller.connections {
            guard let connection = poller[descriptor], connection.isPooled, !connection.hasEnded else { continue }
            let isIdle = poller.isIdle(descriptor) && !paused.contains(descriptor)
            let isRetired = poller.generation(of: descriptor) != multi.generation
            switch upkeep.rules.decision(
                age: now.nanoseconds(after: connection.opened),
                idleTime: isIdle ? now.nanoseconds(after: connection.idleSince) : nil)
            {
            case _ where isRetired && isIdle, .close: poller.end(descriptor)
            case .retire: isOverdue = isOverdue || connection.sharing == .shared && !isRetired
            case .keep(let again?): poller.nextSweep = .earlier(poller.nextSweep, now + max(again, Self.sweepInterval))
            case .keep(nil): break
            }
        }
        if isOverdue { retireConnections() }
        if poller.endedCount > 0 { upkeep.requestPrune(at: now) }
    }

    /// Sweeps are at least this many nanoseconds apart.
    private static let sweepInterval: Int64 = 20_000_000

    private func prune() {
        upkeep.willPrune(at: now)
        pruner.run(on: multi)
        for multi in retired { pruner.run(on: multi) }
        for descriptor in upkeep.takeUnread() { poller.listenAgain(to: descriptor) }
        // libcurl may have pruned just before, and then doesn't prune again within a second.
        if poller.endedCount > 0 { upkeep.requestPrune(at: now) }
    }

    /// The connections whose exchanges wait for the caller. libcurl doesn't watch them then, as if they were idle.
    private var pausedConnections: Set<Int32> {
        let waiting = active.filter(\.waitsForCaller)
        if waiting.isEmpty { return [] }
        let index = ConnectionIndex(poller)
        return Set(waiting.flatMap { index.connections(of: $0) })
    }

    /// A connection starts.
    func prepare(_ descriptor: Int32, for exchange: Exchange) {
        poller.opened(descriptor, isPooled: !exchange.isUpgrade)
        godwit_set_probing(descriptor, &probing)
        if exchange.isWarmUp { exchange.handle?.stopAfterConnecting() }
    }

    /// Counts the connections and the exchanges that have none yet.
    var connectionCounts: ConnectionCounts {
        let paused = pausedConnections
        var counts = ConnectionCounts(
            open: 0, idle: 0, waiting: active.count { $0.localPort == nil && !$0.flow.hasEnded })
        starts.forEach { _ in counts.waiting += 1 }
        for descriptor in poller.connections {
            guard let connection = poller[descriptor], connection.isPooled, !connection.hasEnded else { continue }
            counts.open += 1
            if poller.isIdle(descriptor), !paused.contains(descriptor) { counts.idle += 1 }
        }
        return counts
    }

    // MARK: Connections that die

    /// Ends the connections of expired exchanges if they were silent for too long, with every other exchange on them. HTTP/1
    /// doesn't need this, as libcurl closes the connection of an exchange that is removed.
    func giveUpSilentConnections(of expired: [Exchange]) {
        let suspects = expired.compactMap { exchange in
            silenceRule(for: exchange).map { (exchange, $0) }
        }
        giveUpSilentConnections(of: suspects, ending: expired)
    }

    /// Does the same when a caller gives up.
    func giveUpSilentConnection(ofCancelled exchange: Exchange) {
        guard exchange.mayShareConnection, let waited = exchange.waited(at: now), waited >= 2_000,
            let descriptor = sharedConnection(of: exchange, ConnectionIndex(poller))
        else { return }
        let rule = SilenceRule(.cancelled(waited: waited))
        // The cheap check comes first: many may be canceled together.
        guard rule.givesUp(after: silence(of: descriptor), others: 0),
            !active.contains(where: { $0 !== exchange && $0.runs(on: descriptor) })
        else { return }
        giveUp(descriptor, [], because: "")
    }

    private func silenceRule(for exchange: Exchange) -> SilenceRule? {
        guard exchange.mayShareConnection, let waited = exchange.waited(at: now) else { return nil }
        switch exchange.expiredStage(at: now) {
        case .inactivity:
            let limit = TimeLimits(exchange.options.timeouts).inactivity / 1_000_000
            return SilenceRule(.inactivity(limit: limit))
        case .total: return SilenceRule(.total(waited: waited))
        case .connect: return nil
        }
    }

    private func giveUpSilentConnections(of suspects: [(Exchange, SilenceRule)], ending: [Exchange]) {
        if suspects.isEmpty { return }
        let index = ConnectionIndex(poller)
        var rules: [Int32: [SilenceRule]] = [:]
        for (exchange, rule) in suspects {
            guard let descriptor = sharedConnection(of: exchange, index) else { continue }
            rules[descriptor, default: []].append(rule)
        }
        let ended = Set(ending.map(ObjectIdentifier.init))
        for (descriptor, exchanges) in index.exchanges(of: active, on: Set(rules.keys)) {
            let others = exchanges.filter { !ended.contains(ObjectIdentifier($0)) }
            let silence = silence(of: descriptor)
            let isDead = rules[descriptor, default: []].contains { $0.givesUp(after: silence, others: others.count) }
            guard isDead else { continue }
            giveUp(descriptor, others, because: "nothing arrived for \(silence) ms")
        }
    }

    /// The connection of an exchange that others may share; nil if it isn't shared, or is unknown.
    private func sharedConnection(of exchange: Exchange, _ index: ConnectionIndex) -> Int32? {
        let found = index.connections(of: exchange)
        guard let descriptor = found.first, found.count == 1, let connection = poller[descriptor], connection.isPooled,
            !connection.hasEnded, connection.sharing != .exclusive
        else { return nil }
        return descriptor
    }

    private func giveUp(_ descriptor: Int32, _ exchanges: [Exchange], because reason: String) {
        noteGivenUp(descriptor)
        poller.end(descriptor)
        upkeep.requestPrune(at: now)
        for exchange in exchanges where exchange.isActive {
            let phase = exchange.state.errorPhase
            remove(exchange)
            exchange.fail(.transport(.connectionLost("given up: \(reason)")), phase: phase)
        }
    }

    /// Ends connections that can't work over the new network path, and uses the others for no new exchange.
    func pathChanged() {
        configuration.alternativeServices.pathChanged()
        let paused = pausedConnections
        retireConnections()
        let index = ConnectionIndex(poller)
        let gone = Set(poller.connections.filter { godwit_has_local_address($0) == 0 })
        let lost = index.exchanges(of: active, on: gone)
        for descriptor in poller.connections {
            guard let connection = poller[descriptor], !connection.hasEnded else { continue }
            if gone.contains(descriptor) {
                giveUp(descriptor, lost[descriptor] ?? [], because: "its network is gone")
            } else if connection.isPooled, poller.isIdle(descriptor), !paused.contains(descriptor) {
                poller.end(descriptor)
            }
        }
        if poller.endedCount > 0 { upkeep.requestPrune(at: now) }
    }

    // MARK: Running out of descriptors

    /// Closes some of the connections that have been idle for longest; whether there were any.
    func makeRoom() -> Bool {
        let before = poller.closedCount
        for multi in [multi] + retired {
            for _ in 0..<Self.closedAtOnce {
                let count = poller.closedCount
                pruner.closeOldest(of: multi, limit: configuration.maximumConnections)
                if poller.closedCount == count { break }
            }
        }
        return poller.closedCount > before
    }

    private static let closedAtOnce = 8
}
