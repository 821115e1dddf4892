#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The exchanges that libcurl has, and an engine's connections: those that are made, in use and kept. Used on the engine's thread.
///
/// libcurl keeps connections, and this decides when one is closed. To end a connection, its socket is shut down; every version of
/// libcurl then finds it dead, and closes it when it is pruned (decision 019).
final class Connections {
    let resources: ExchangeResources
    @exclusivity(unchecked) private(set) var active: [Exchange] = []
    let multis: MultiHandles
    /// The connections that are being made.
    let races: ConnectionRaces
    let http3: HTTP3Routes
    var upkeep: ConnectionUpkeep
    private var open = OpenConnections()
    let pruner = Pruner()
    private var probing: godwit_probing
    /// Connections that were warmed up and whose server has sent no HTTP/2 frame yet.
    var warming: [Int32: Exchange] = [:]

    /// - Parameters:
    ///   - onAddresses: Called with the addresses of a host, on another thread.
    ///   - onFirstKept: Called once, when the first connection is kept.
    init(
        _ resources: ExchangeResources, onAddresses: @escaping @Sendable (HostAndPort, [SocketAddress]) -> Void,
        onFirstKept: (@Sendable () -> Void)?
    ) {
        self.resources = resources
        let configuration = resources.configuration
        multis = MultiHandles(resources)
        races = ConnectionRaces(
            configuration, resources.proxies, poller: resources.poller, onAddresses: onAddresses)
        http3 = HTTP3Routes(resources)
        upkeep = ConnectionUpkeep(configuration.connections, onFirstKept)
        probing = configuration.connections.probing
        poller.sweepDelay = upkeep.firstDelay
        poller.onClose = { [unowned self] in closes($0) }
    }

    var poller: Poller { resources.poller }
    var now: LoopTime { resources.now }

    /// When libcurl has to be called, a race continues or kept connections have to be maintained.
    var deadline: LoopTime? {
        .earlier(.earlier(multis.deadline, races.deadline), upkeepDeadline)
    }

    func free() {
        multis.free()
        pruner.free()
    }

    // MARK: Exchanges

    func add(_ exchange: Exchange) {
        exchange.slot = active.count
        active.append(exchange)
    }

    /// An exchange is over, or starts again with another handle.
    func remove(_ exchange: Exchange) {
        if let last = active.popLast(), last !== exchange {
            last.slot = exchange.slot
            active[exchange.slot] = last
        }
        http3.release(exchange)
        detach(exchange)
    }

    /// Takes the handle of an exchange, whose connection others may use from here on.
    func detach(_ exchange: Exchange) {
        guard let handle = exchange.handle else { return }
        exchange.detach()
        races.established(handle)
    }

    /// A connection is about to carry an exchange. Returns why it must not, or nil.
    func established(_ handle: EasyHandle, for exchange: Exchange) -> NetworkError.Kind? {
        let made = races.established(handle)
        if made != nil { exchange.openConnections = open.count(of: exchange.request.url.origin) }
        return http3.settle(exchange, on: made)
    }

    // MARK: Sockets

    /// libcurl wants a socket for an exchange.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?, for exchange: Exchange) -> Int32 {
        let isDatagram = address.map { godwit_is_datagram($0) != 0 } ?? false
        if isDatagram, let address, !http3.admitsDatagrams(address, for: exchange) { return CURL_SOCKET_BAD }
        let descriptor = godwit_open_socket(address)
        let error = errno
        guard descriptor >= 0, let handle = exchange.handle else {
            // libcurl will only report that it could not connect.
            if error == EMFILE || error == ENFILE { exchange.state.lackDescriptor() }
            return descriptor
        }
        poller.opened(descriptor, isPooled: !exchange.isUpgrade)
        godwit_set_probing(descriptor, &probing)
        if exchange.isWarmUp { handle.stopAfterConnecting() }
        let url = exchange.request.url
        if !exchange.isUpgrade { open.opened(descriptor, to: url.origin) }
        if isDatagram { http3.opened(descriptor, to: url.origin) }
        let known = address.flatMap { godwit_address_of($0) }.flatMap { SocketAddress($0) }
        races.opened(descriptor, known, isDatagram: isDatagram, for: url, by: handle, at: now)
        exchange.noteConnecting()
        return descriptor
    }

    /// libcurl closes a socket.
    private func closes(_ descriptor: Int32) {
        http3.closed(descriptor)
        noteClosing(of: descriptor)
        open.closed(descriptor)
        races.closed(descriptor)
    }

    /// Notes how a connection ended that is about to be closed, for an exchange that awaits a response on it.
    private func noteClosing(of descriptor: Int32) {
        var end = godwit_connection_end()
        guard godwit_get_connection_end(descriptor, &end) == 0, end.local_port > 0 else { return }
        let port = Int(end.local_port)
        guard poller[descriptor]?.sharing == .exclusive, end.unacknowledged > 0,
            end.end != godwit_end_other, active.count <= Self.mostSearched
        else { return }
        // Two connections to different servers may have the same port: then it is unknown whose this was.
        let concerned = active.filter { $0.awaitsResponse(on: port) }
        guard concerned.count == 1 else { return }
        concerned[0].connectionCloses(end)
    }

    /// With more exchanges than this the search would hold up the loop. Whether a request was read is then unknown.
    private static let mostSearched = 2_000

    /// Something happened on a socket that libcurl waits for.
    func serve(_ descriptor: Int32, _ selection: Int32) {
        multis.owner(of: descriptor).act(on: descriptor, selection)
    }

    /// Makes libcurl read what a handle's connection may have.
    func read(on handle: EasyHandle) {
        let port = Int32(clamping: handle.localPort)
        guard port > 0, let descriptor = poller.connection(from: port) else { return }
        serve(descriptor, CURL_CSELECT_IN)
    }

    /// Ends a shared connection that failed as a whole. libcurl 7.88 would keep it, and the next request on it would hang.
    func abandon(_ handle: EasyHandle) {
        let port = handle.localPort
        guard port > 0, let descriptor = poller.connection(from: Int32(clamping: port)),
            poller[descriptor]?.sharing != .exclusive
        else { return }
        end(descriptor)
    }

    /// Shuts a connection down, to be closed by libcurl.
    func end(_ descriptor: Int32) {
        poller.end(descriptor)
        upkeep.requestPrune(at: now)
    }
}
#endif
