#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// Tells an unreachable host from a machine without a network. libcurl reports the same for both: a name without an address,
/// or a connection that can't be made.
struct OfflineCheck: Sendable {
    private let monitor: @Sendable () -> any PathMonitor
    /// Whether connections go to a socket on this machine, whatever the URL says.
    private let isLocal: Bool

    init(_ configuration: CurlConfiguration) {
        monitor = configuration.pathMonitor
        isLocal = configuration.unixSocketPath != nil
    }

    /// Returns `.offline(.noPath)` if a missing network explains the error, otherwise the error itself.
    ///
    /// The network path alone does not explain it: a name may refer to this machine, and a firewall may drop packets that have
    /// a route. The path is read last, since reading starts its monitor.
    func explain(_ error: NetworkError, of exchange: Exchange) -> NetworkError {
        guard !isLocal, !exchange.request.url.origin.isLoopback else { return error }
        switch error.kind {
        case .transport(.cannotResolveHost), .transport(.cannotResolveProxy): break
        case .transport(.cannotConnect) where exchange.lackedRoute: break
        default: return error
        }
        guard monitor().current.status == .unsatisfied else { return error }
        var offline = error
        offline.kind = .offline(.noPath)
        offline.underlying = offline.underlying ?? error
        return offline
    }
}

extension EasyHandle {
    /// Whether the system had no route to the address, no interface that is up, or no address of the same family.
    var lackedRoute: Bool {
        let error = systemError
        return error == ENETUNREACH || error == ENETDOWN || error == EADDRNOTAVAIL
    }
}
#endif
