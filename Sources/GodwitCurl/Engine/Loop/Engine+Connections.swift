import CGodwitCurl
import GodwitCore

// Kept connections: libcurl keeps them, this decides when one is closed. A connection is ended by shutting its socket down; libcurl
// then finds it dead, whatever its version, and closes it when it is pruned.
extension Engine {
    /// When kept connections have to be looked after.
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
        // It can only be written to, which its last exchange waited for.
        guard events & ~godwit_epoll_out != 0 else { return poller.awaitBytes(descriptor) }
        // Between two exchanges of HTTP/1.1 nothing may arrive but the end, which TLS announces with bytes.
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

    /// Looks are at least this many nanoseconds apart.
    private static let sweepInterval: Int64 = 20_000_000

    private func prune() {
        upkeep.willPrune(at: now)
        pruner.run(on: multi)
        for multi in retired { pruner.run(on: multi) }
        for descriptor in upkeep.takeUnread() { poller.listenAgain(to: descriptor) }
        // libcurl may have looked just before, and then does not look again within a second.
        if poller.endedCount > 0 { upkeep.requestPrune(at: now) }
    }

    /// Connections whose exchanges wait for the caller. libcurl does not watch them then, as if they were idle.
    private var pausedConnections: Set<Int32> {
        let waiting = active.filter(\.waitsForCaller)
        if waiting.isEmpty { return [] }
        let index = ConnectionIndex(poller)
        return Set(waiting.flatMap { index.connections(of: $0) })
    }

    /// A connection begins.
    func prepare(_ descriptor: Int32, for handle: EasyHandle) {
        poller.opened(descriptor, isPooled: handle.exchange?.upgraded == nil)
        godwit_set_probing(descriptor, &probing)
        if handle.exchange?.isWarmUp == true { handle.stopAfterConnecting() }
    }

    // MARK: Connections that die

    /// Ends the connections of exchanges that waited in vain, if they were silent for too long, and every other exchange on
    /// them: nothing is sent on them again. HTTP/1 needs none of this, as libcurl closes the connection of an exchange that is
    /// taken off it.
    func giveUpSilentConnections(of expired: [Exchange]) {
        let suspects = expired.compactMap { exchange in
            silenceRule(for: exchange).map { (exchange, $0) }
        }
        giveUpSilentConnections(of: suspects, ending: expired)
    }

    /// The same when a caller gives up.
    func giveUpSilentConnection(ofCancelled exchange: Exchange) {
        guard exchange.mayShareConnection, let waited = exchange.waited(at: now), waited >= 2_000,
            let descriptor = sharedConnection(of: exchange, ConnectionIndex(poller))
        else { return }
        let rule = SilenceRule(.cancelled(waited: waited))
        // Cheap things first: many may be canceled at once.
        guard rule.givesUp(after: godwit_silence(descriptor), others: 0),
            !active.contains(where: { $0 !== exchange && $0.runs(on: descriptor) })
        else { return }
        giveUp(descriptor, [], because: "")
    }

    private func silenceRule(for exchange: Exchange) -> SilenceRule? {
        guard exchange.mayShareConnection, let waited = exchange.waited(at: now) else { return nil }
        switch exchange.expiredStage(at: now) {
        case .inactivity:
            let limit = limits(for: exchange.options.timeouts).inactivity / 1_000_000
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
            let silence = godwit_silence(descriptor)
            let isDead = rules[descriptor, default: []].contains { $0.givesUp(after: silence, others: others.count) }
            guard isDead else { continue }
            giveUp(descriptor, others, because: "nothing arrived for \(silence) ms")
        }
    }

    /// The connection of an exchange that others may share; nil if it is known to have its own, or cannot be told.
    private func sharedConnection(of exchange: Exchange, _ index: ConnectionIndex) -> Int32? {
        let found = index.connections(of: exchange)
        guard let descriptor = found.first, found.count == 1, let connection = poller[descriptor], connection.isPooled,
            !connection.hasEnded, connection.sharing != .exclusive
        else { return nil }
        return descriptor
    }

    private func giveUp(_ descriptor: Int32, _ exchanges: [Exchange], because reason: String) {
        poller.end(descriptor)
        upkeep.requestPrune(at: now)
        for exchange in exchanges where exchange.isActive {
            let phase = exchange.phase
            remove(exchange)
            exchange.fail(.transport(.connectionLost("given up: \(reason)")), phase: phase)
        }
    }

    /// Ends what cannot work over the new network path, and keeps what still works from being used again.
    func pathChanged() {
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

    /// Whether libcurl chose a connection that was shut down, as newer versions do within a second of its last use. Nothing is
    /// sent then, and the exchange starts again.
    func meetsEndedConnection(_ handle: EasyHandle) -> Bool {
        guard poller.endedCount > 0, let exchange = handle.exchange else { return false }
        let port = godwit_get_long(handle.pointer, CURLINFO_LOCAL_PORT)
        exchange.metEndedConnection = poller.connections.contains { descriptor in
            poller[descriptor].map { $0.hasEnded && $0.localPort == port } ?? false
        }
        return exchange.metEndedConnection
    }

    /// Whether an exchange that failed before anything was sent starts again.
    func restarts(_ exchange: Exchange) -> Bool {
        exchange.metEndedConnection ? restartsElsewhere(exchange) : restartsWithRoom(exchange)
    }

    private func restartsElsewhere(_ exchange: Exchange) -> Bool {
        exchange.metEndedConnection = false
        exchange.detours += 1
        guard exchange.detours <= Self.mostDetours, let handle = exchange.handle else {
            exchange.failure = exchange.error(.transport(.connectionLost("only closed connections are kept")))
            return false
        }
        owner(of: handle).remove(handle)
        handle.connectAfresh()
        return multi.add(handle)
    }

    private static let mostDetours = 3

    // MARK: Running out of descriptors

    /// Whether an exchange that found no descriptor starts again, since closing idle connections made room.
    private func restartsWithRoom(_ exchange: Exchange) -> Bool {
        guard lacksDescriptors(exchange), let handle = exchange.handle else { return false }
        guard exchange.restarts < Self.mostRestarts, makeRoom() else {
            exchange.failure = exchange.error(.transport(.tooManyOpenFiles), .connecting)
            return false
        }
        exchange.restarts += 1
        exchange.lackedDescriptor = false
        owner(of: handle).remove(handle)
        return multi.add(handle)
    }

    /// Whether that is why an exchange failed before anything was sent. libcurl names the consequence: a name that could not be
    /// resolved, or authorities that could not be read.
    func lacksDescriptors(_ exchange: Exchange) -> Bool {
        exchange.sendCount == 0 && exchange.failure == nil
            && (exchange.lackedDescriptor || godwit_lacks_descriptors() != 0)
    }

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

    static let mostRestarts = 3
    private static let closedAtOnce = 8
}
