#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

// Connections that die. HTTP/1 needs this only when the network path changes, as libcurl closes the connection of an exchange that
// is removed.
extension Connections {
    /// An exchange whose connection was given up, and why.
    typealias Loss = (exchange: Exchange, reason: String)

    /// Ends the connections of expired exchanges if they were silent for too long. Returns the other exchanges on them.
    func giveUpSilent(of expired: [Exchange]) -> [Loss] {
        let suspects = expired.compactMap { exchange in
            silenceRule(for: exchange).map { (exchange, $0) }
        }
        return suspects.isEmpty ? [] : giveUpSilent(of: suspects, ending: expired)
    }

    /// Does the same when a caller gives up, unless others use the connection.
    func giveUpSilent(ofCancelled exchange: Exchange) {
        guard exchange.mayShareConnection, let waited = exchange.waited(at: now), waited >= 2_000,
            let descriptor = sharedConnection(of: exchange, ConnectionIndex(poller))
        else { return }
        let rule = SilenceRule(.cancelled(waited: waited))
        // The cheap check comes first: many may be canceled together.
        guard rule.givesUp(after: http3.silence(of: descriptor), others: 0),
            !active.contains(where: { $0 !== exchange && $0.runs(on: descriptor) })
        else { return }
        giveUp(descriptor)
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

    private func giveUpSilent(of suspects: [(Exchange, SilenceRule)], ending: [Exchange]) -> [Loss] {
        let index = ConnectionIndex(poller)
        var rules: [Int32: [SilenceRule]] = [:]
        for (exchange, rule) in suspects {
            guard let descriptor = sharedConnection(of: exchange, index) else { continue }
            rules[descriptor, default: []].append(rule)
        }
        let ended = Set(ending.map(ObjectIdentifier.init))
        var losses: [Loss] = []
        for (descriptor, exchanges) in index.exchanges(of: active, on: Set(rules.keys)) {
            let others = exchanges.filter { !ended.contains(ObjectIdentifier($0)) }
            let silence = http3.silence(of: descriptor)
            let isDead = rules[descriptor, default: []].contains { $0.givesUp(after: silence, others: others.count) }
            guard isDead else { continue }
            giveUp(descriptor)
            losses += others.map { ($0, "nothing arrived for \(silence) ms") }
        }
        return losses
    }

    /// The connection of an exchange that others may share; nil if it isn't shared, or is unknown.
    private func sharedConnection(of exchange: Exchange, _ index: ConnectionIndex) -> Int32? {
        let found = index.connections(of: exchange)
        guard let descriptor = found.first, found.count == 1, let connection = poller[descriptor], connection.isPooled,
            !connection.hasEnded, connection.sharing != .exclusive
        else { return nil }
        return descriptor
    }

    private func giveUp(_ descriptor: Int32) {
        http3.gaveUp(descriptor)
        end(descriptor)
    }

    /// Ends connections that can't work over the new network path, and uses the others for no new exchange. Returns the exchanges
    /// whose connections are gone.
    func pathChanged() -> [Loss] {
        resources.configuration.alternativeServices.pathChanged()
        let paused = paused
        multis.retire()
        let index = ConnectionIndex(poller)
        let gone = Set(poller.connections.filter { godwit_has_local_address($0) == 0 })
        let lost = index.exchanges(of: active, on: gone)
        for descriptor in poller.connections {
            guard let connection = poller[descriptor], !connection.hasEnded else { continue }
            if gone.contains(descriptor) {
                giveUp(descriptor)
            } else if connection.isPooled, poller.isIdle(descriptor), !paused.contains(descriptor) {
                poller.end(descriptor)
            }
        }
        if poller.endedCount > 0 { upkeep.requestPrune(at: now) }
        return lost.values.joined().map { ($0, "its network is gone") }
    }
}
#endif
