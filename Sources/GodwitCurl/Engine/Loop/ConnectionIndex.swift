import CGodwitCurl
import GodwitCore

/// Finds the connections that exchanges run on, by the addresses of both ends. Made when it is needed, which is seldom: an exchange
/// does not know its socket, and libcurl does not tell reliably.
struct ConnectionIndex {
    private var byLocalPort: [Int: [Int32]] = [:]

    init(_ poller: Poller) {
        for descriptor in poller.connections {
            byLocalPort[Int(godwit_local_port(descriptor)), default: []].append(descriptor)
        }
    }

    /// The connection that an exchange runs on. Several if they cannot be told apart, as those of a unix-domain socket.
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

extension Exchange {
    /// Whether other exchanges may run on its connection.
    var mayShareConnection: Bool {
        engine?.configuration.protocols.mayShare(request.url.scheme) ?? false
    }

    /// The port of its connection's own end; `nil` if it is not connected yet.
    fileprivate var localPort: Int? {
        guard let handle, sendCount > 0 else { return nil }
        return godwit_get_long(handle.pointer, CURLINFO_LOCAL_PORT)
    }

    func runs(on descriptor: Int32) -> Bool {
        guard let handle, sendCount > 0 else { return false }
        return godwit_runs_on(handle.pointer, descriptor) != 0
    }
}
