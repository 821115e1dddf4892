#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

// When kept connections are closed.
extension Connections {
    /// When kept connections have to be maintained.
    var upkeepDeadline: LoopTime? { .earlier(poller.nextSweep, upkeep.pruneDue) }

    func maintain() {
        if let due = poller.nextSweep, due <= now { sweep() }
        if let due = upkeep.pruneDue, due <= now { prune() }
    }

    /// Something happened on a connection that no exchange watches. Returns an exchange that has warmed it up, and how.
    func serveUnwatched(_ descriptor: Int32, _ events: UInt32) -> (Exchange, CURLcode)? {
        if let exchange = warming[descriptor] { return warmUpOutcome(exchange).map { (exchange, $0) } }
        guard let connection = poller[descriptor], connection.isPooled, !connection.hasEnded,
            !paused.contains(descriptor)
        else {
            poller.remove(descriptor)
            return nil
        }
        // It is only writable, which its last exchange waited for.
        guard events & ~godwit_epoll_out != 0 else {
            poller.awaitBytes(descriptor)
            return nil
        }
        // Between two exchanges of HTTP/1.1 only the end may arrive, which TLS announces with bytes.
        if connection.sharing == .exclusive || godwit_has_hung_up(descriptor) != 0 {
            poller.end(descriptor)
        } else {
            poller.awaitClose(descriptor)
            upkeep.noteUnread(descriptor)
        }
        upkeep.requestPrune(at: now)
        return nil
    }

    /// Closes what is idle for too long or too old.
    private func sweep() {
        poller.nextSweep = nil
        if let onFirstKept = upkeep.onFirstKept.take() {
            onFirstKept()
            poller.sweepDelay = upkeep.rules.delay
        }
        let paused = paused
        var isOverdue = false
        for descriptor in poller.connections {
            guard let connection = poller[descriptor], connection.isPooled, !connection.hasEnded else { continue }
            let isIdle = poller.isIdle(descriptor) && !paused.contains(descriptor)
            let isRetired = poller.generation(of: descriptor) != multis.current.generation
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
        if isOverdue { multis.retire() }
        if poller.endedCount > 0 { upkeep.requestPrune(at: now) }
    }

    /// Sweeps are at least this many nanoseconds apart.
    private static let sweepInterval: Int64 = 20_000_000

    private func prune() {
        upkeep.willPrune(at: now)
        multis.forEach { pruner.run(on: $0) }
        for descriptor in upkeep.takeUnread() { poller.listenAgain(to: descriptor) }
        // libcurl may have pruned just before, and then doesn't prune again within a second.
        if poller.endedCount > 0 { upkeep.requestPrune(at: now) }
    }

    /// The connections whose exchanges wait for the caller. libcurl doesn't watch them then, as if they were idle.
    var paused: Set<Int32> {
        let waiting = active.filter(\.waitsForCaller)
        if waiting.isEmpty { return [] }
        let index = ConnectionIndex(poller)
        return Set(waiting.flatMap { index.connections(of: $0) })
    }

    /// Counts the connections and the exchanges that have none yet.
    var counts: ConnectionCounts {
        let paused = paused
        var counts = ConnectionCounts(
            open: 0, idle: 0, waiting: active.count { $0.localPort == nil && !$0.flow.hasEnded })
        for descriptor in poller.connections {
            guard let connection = poller[descriptor], connection.isPooled, !connection.hasEnded else { continue }
            counts.open += 1
            if poller.isIdle(descriptor), !paused.contains(descriptor) { counts.idle += 1 }
        }
        return counts
    }

    // MARK: Running out of descriptors

    /// Closes some of the connections that have been idle for longest; whether there were any.
    func makeRoom() -> Bool {
        let before = poller.closedCount
        multis.forEach { multi in
            for _ in 0..<Self.closedAtOnce {
                let count = poller.closedCount
                pruner.closeOldest(of: multi, limit: resources.configuration.maximumConnections)
                if poller.closedCount == count { break }
            }
        }
        return poller.closedCount > before
    }

    private static let closedAtOnce = 8
}

// libcurl before 8.0 reads from an idle HTTP/2 connection before it uses it, and takes it for dead if it reads no data. TLS session
// tickets, which arrive first, don't count as data. So a warm-up ends when the server's SETTINGS have arrived. Until then its
// handle occupies the connection.
extension Connections {
    /// Whether a connected warm-up has to wait for the server's first frame.
    func awaitsSettings(_ exchange: Exchange) -> Bool {
        guard exchange.agreedOnHTTP2, resources.configuration.features.needsFirstFrame, godwit_sees_streams() != 0,
            let handle = exchange.handle, let descriptor = handle.connectedSocket,
            godwit_await_settings(handle.pointer) == godwit_settings_awaited
        else { return false }
        warming[descriptor] = exchange
        poller.awaitBytes(descriptor)
        return true
    }

    /// Bytes arrived on a connection that is being warmed up. Returns how that ended; nil if it continues.
    private func warmUpOutcome(_ exchange: Exchange) -> CURLcode? {
        guard let handle = exchange.handle else { return nil }
        return switch godwit_await_settings(handle.pointer) {
        case godwit_settings_awaited: nil
        case godwit_settings_received: CURLE_OK
        default: CURLE_GOT_NOTHING
        }
    }

    /// Returns the connection to libcurl, for other exchanges.
    func endWarmUp(_ exchange: Exchange) {
        exchange.handle?.endWarmUp()
        if let (descriptor, _) = warming.first(where: { $0.value === exchange }) { warming[descriptor] = nil }
    }
}
#endif
