import CGodwitCurl
import Glibc
import GodwitCore

/// Tells a host that cannot be reached from a machine that is not connected. libcurl reports the same for both: a name without
/// an address, or a connection that cannot be made.
struct OfflineCheck: Sendable {
    private let monitor: @Sendable () -> any PathMonitor
    /// Whether connections go to a socket of this machine, whatever the URL says.
    private let isLocal: Bool

    init(_ configuration: CurlConfiguration) {
        monitor = configuration.pathMonitor
        isLocal = configuration.unixSocketPath != nil
    }

    /// The error as `.offline(.noPath)` if no network explains it; else as it is.
    ///
    /// The network path alone does not: a name may stand for this machine, and a firewall may drop what has a route. So the
    /// failure has to fit, too. The path is asked for last, as that starts its monitor.
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
    /// Whether the system had no way to the address: no route, no interface that is up, or no address of its own kind.
    var lackedRoute: Bool {
        let error = Int32(clamping: godwit_get_long(pointer, CURLINFO_OS_ERRNO))
        return error == ENETUNREACH || error == ENETDOWN || error == EADDRNOTAVAIL
    }
}
