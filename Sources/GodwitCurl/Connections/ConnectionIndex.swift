#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// Finds the connections that exchanges run on, by the addresses of both ends. Made only when needed, which is rare: an
/// exchange doesn't know its socket, and libcurl doesn't tell reliably.
struct ConnectionIndex {
    private var byLocalPort: [Int: [Int32]] = [:]

    init(_ poller: Poller) {
        for descriptor in poller.connections {
            byLocalPort[Int(godwit_local_port(descriptor)), default: []].append(descriptor)
        }
    }

    /// The connection that an exchange runs on, or several if they can't be told apart, as with a Unix domain socket.
    func connections(of exchange: Exchange) -> [Int32] {
        guard let port = exchange.localPort, let candidates = byLocalPort[port] else { return [] }
        return candidates.filter { exchange.runs(on: $0) }
    }

    /// The exchanges that run on any of these connections.
    func exchanges(of exchanges: [Exchange], on connections: Set<Int32>) -> [Int32: [Exchange]] {
        var found: [Int32: [Exchange]] = [:]
        for exchange in exchanges {
            guard let port = exchange.localPort, let candidates = byLocalPort[port] else { continue }
            for candidate in candidates where connections.contains(candidate) && exchange.runs(on: candidate) {
                found[candidate, default: []].append(exchange)
            }
        }
        return found
    }
}
#endif
