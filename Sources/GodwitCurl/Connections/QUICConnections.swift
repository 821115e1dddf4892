#if os(Linux)
import GodwitCore
import GodwitSockets

/// The QUIC connections of an engine. The kernel tells nothing about them: to it each is a UDP socket.
struct QUICConnections {
    private struct Entry {
        let origin: Origin
        /// Whether the handshake is complete.
        var isEstablished = false
        var received: LoopTime
    }

    private var entries: [Int32: Entry] = [:]
    private var established: [Origin: Int] = [:]
    /// The exchange that finds out whether QUIC connects, by its origin.
    private var probes: [Origin: ObjectIdentifier] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// Whether an origin has a connection that can take requests.
    func hasConnection(to origin: Origin) -> Bool { established[origin] != nil }

    // MARK: Connections

    mutating func opened(_ descriptor: Int32, to origin: Origin, at now: LoopTime) {
        closed(descriptor)
        entries[descriptor] = Entry(origin: origin, received: now)
    }

    mutating func established(_ descriptor: Int32, at now: LoopTime) {
        guard let entry = entries[descriptor], !entry.isEstablished else { return }
        entries[descriptor]?.isEstablished = true
        entries[descriptor]?.received = now
        established[entry.origin, default: 0] += 1
    }

    /// Packets arrived.
    mutating func received(on descriptor: Int32, at now: LoopTime) {
        entries[descriptor]?.received = now
    }

    /// The connection is closed, or takes no further requests.
    mutating func closed(_ descriptor: Int32) {
        guard let entry = entries.removeValue(forKey: descriptor), entry.isEstablished else { return }
        let count = established[entry.origin, default: 0] - 1
        established[entry.origin] = count > 0 ? count : nil
    }

    /// The origin of a connection, and the milliseconds since packets last arrived; nil for other descriptors.
    func silence(of descriptor: Int32, at now: LoopTime) -> (origin: Origin, milliseconds: Int64)? {
        entries[descriptor].map { ($0.origin, now.nanoseconds(after: $0.received) / 1_000_000) }
    }

    // MARK: Probes

    /// Whether an exchange of this origin is finding out whether QUIC connects.
    func isProbing(_ origin: Origin) -> Bool { probes[origin] != nil }

    mutating func probe(_ origin: Origin, by exchange: Exchange) {
        probes[origin] = ObjectIdentifier(exchange)
    }

    /// The exchange knows, or is over. Returns whether it was the one.
    mutating func endProbe(_ exchange: Exchange) -> Bool {
        let origin = exchange.request.url.origin
        guard probes[origin] == ObjectIdentifier(exchange) else { return false }
        probes[origin] = nil
        return true
    }
}
#endif
