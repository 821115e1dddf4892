#if os(Linux)
import GodwitCore
import GodwitLibc
import GodwitSupport
import GodwitTLS

/// What a connection is made of: where it goes, through which proxy, and what TLS it has.
struct DialPlan {
    /// Where the first socket goes: the proxy's place, or the host's.
    var place: HostAndPort
    /// Instead of TCP.
    var unixSocketPath: String?
    var proxy: ProxyAddress?
    /// What the proxy gets of its URL's user; `nil` if there is none.
    var authentication: ProxyAuthentication?
    /// Where the proxy has to pass bytes on to; `nil` if it gets requests in absolute form.
    var tunnel: HostAndPort?
    /// The server with which TLS is spoken; `nil` for none.
    var secureHost: HTTPURL?
    /// The versions to offer by ALPN.
    var protocols: [String] = []
    /// Gets the head of a CONNECT.
    var onHeadSent: (@Sendable (String) -> Void)?
}

/// What dialing needs of its loop.
protocol DialServices: AnyObject {
    var now: LoopTime { get }
    /// The turn continues at a later ``now``.
    func readClock()
    var poller: Poller { get }
    var connectionPolicy: ConnectionPolicy { get }
    /// Calls back in a turn of the loop, perhaps before it returns; with no addresses if there are none.
    func resolve(_ name: HostAndPort, _ found: @escaping ([SocketAddress]) -> Void)
    /// What TLS with a host needs.
    func security(for url: HTTPURL, _ protocols: [String]) throws(NetworkError) -> TLSPlan
    func proxySecurity(for place: HostAndPort) throws(NetworkError) -> TLSPlan
    /// Closes connections that nothing uses; `false` if there was none.
    func makeRoom() -> Bool
    /// ``Dial/tryNext()`` has to be called at this time.
    func wake(_ dial: Dial, at time: LoopTime)
    /// ``Dial/proceed()`` has to be called when the turn has time.
    func shakeSoon(_ dial: Dial)
}

/// What a TLS session is made with.
struct TLSPlan {
    let context: TLSContext
    let host: String
    let pins: PinCheck?
    let tickets: TLSTickets?
    let ticketKey: String
}

/// Makes one connection: looks up the name, races its addresses, asks the proxy, shakes hands. Used in the loop's turn.
final class Dial {
    /// How it ended.
    enum Outcome {
        case connected(Connection)
        case failed(NetworkError.Kind, lackedRoute: Bool)
    }

    private enum Stage {
        case lookup
        case racing(ConnectRace, [Socket])
        case proxyHandshake(Connection)
        case asking(Connection, ProxyHandshake)
        case handshake(Connection)
        case over
    }

    let plan: DialPlan
    private unowned let services: any DialServices
    private var stage = Stage.lookup
    private var timeline: Connection.Timeline
    private var onEnd: ((Outcome) -> Void)?
    /// The first failure of an attempt is the preferred address's, and tells most.
    private var firstError: Int32 = 0
    private var firstAddress: SocketAddress?
    private var isWaitingForTurn = false
    /// What is asked on the next connection to the proxy, after it asked for credentials on another.
    private var nextHandshake: ProxyHandshake?

    /// - Parameter onEnd: Called once, in a turn of the loop; not after ``cancel()``.
    init(_ plan: DialPlan, _ services: any DialServices, onEnd: @escaping (Outcome) -> Void) {
        self.plan = plan
        self.services = services
        self.onEnd = onEnd
        timeline = Connection.Timeline(start: services.now)
    }

    func start() {
        if let path = plan.unixSocketPath { return connectUnix(path) }
        services.resolve(plan.place) { [weak self] addresses in self?.found(addresses) }
    }

    /// Its end will not be reported: nothing waits for it. ``cancel()`` follows, when there is time.
    func disown() { onEnd = nil }

    /// Gives up.
    func cancel() {
        onEnd = nil
        closeAll()
    }

    private func end(_ outcome: Outcome) {
        let onEnd = onEnd.take()
        switch outcome {
        case .failed: closeAll()
        case .connected(let connection): if onEnd == nil { connection.close() }
        }
        stage = .over
        onEnd?(outcome)
    }

    private func fail(_ kind: NetworkError.Kind) { end(.failed(kind, lackedRoute: false)) }

    private func closeAll() {
        switch stage {
        case .racing(_, let sockets): for socket in sockets { socket.close() }
        case .proxyHandshake(let connection), .asking(let connection, _), .handshake(let connection): connection.close()
        case .lookup, .over: break
        }
        stage = .over
    }

    // MARK: Addresses

    private func found(_ addresses: [SocketAddress]) {
        guard case .lookup = stage else { return }
        timeline.resolved = services.now
        guard !addresses.isEmpty else {
            return fail(.transport(plan.proxy == nil ? .cannotResolveHost(plan.place.host) : .cannotResolveProxy))
        }
        stage = .racing(ConnectRace(addresses, at: services.now), [])
        tryNext()
    }

    /// Tries the next address if it is time.
    func tryNext() {
        guard case .racing(var race, var sockets) = stage else { return }
        while let address = race.next(at: services.now) {
            if let socket = open(address) { sockets.append(socket) } else { race.failed(at: services.now) }
        }
        stage = .racing(race, sockets)
        if let due = race.due { return services.wake(self, at: due) }
        if sockets.isEmpty { loseRace() }
    }

    private func loseRace() {
        if firstError == EMFILE || firstError == ENFILE { return fail(.transport(.tooManyOpenFiles)) }
        let reason = "\(triedPlace): \(SocketCalls.text(firstError))"
        let lacksRoute = [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(firstError)
        end(.failed(.transport(.cannotConnect(reason)), lackedRoute: lacksRoute))
    }

    /// What was connected to, for an error: a name with the preferred one of its addresses.
    private var triedPlace: String {
        if let path = plan.unixSocketPath { return path }
        let name = "\(plan.place.host):\(plan.place.port)"
        guard let address = firstAddress?.text, address != name else { return name }
        return "\(name) (\(address))"
    }

    /// Begins to connect; `nil` if that fails at once.
    private func open(_ address: SocketAddress) -> Socket? {
        if firstAddress == nil { firstAddress = address }
        guard let descriptor = openDescriptor(address.isIPv6 ? AF_INET6 : AF_INET) else { return nil }
        SocketCalls.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        services.connectionPolicy.setProbing(descriptor)
        return connect(descriptor) { address.withSystemAddress { GodwitLibc.connect(descriptor, $0, $1) } }
    }

    private func openDescriptor(_ family: Int32) -> Int32? {
        var descriptor = SocketCalls.open(family)
        if descriptor == -EMFILE || descriptor == -ENFILE, services.makeRoom() { descriptor = SocketCalls.open(family) }
        if descriptor >= 0 { return descriptor }
        note(-descriptor)
        return nil
    }

    private func connect(_ descriptor: Int32, _ call: () -> Int32) -> Socket? {
        let result = call()
        guard result == 0 || errno == EINPROGRESS || errno == EAGAIN else {
            note(errno)
            close(descriptor)
            return nil
        }
        guard let socket = Socket(descriptor, services.poller) else {
            note(EMFILE)
            return nil
        }
        socket.onReady = { [weak self, unowned socket] in self?.attemptReady(socket) }
        return socket
    }

    private func note(_ error: Int32) {
        if firstError == 0 { firstError = error }
    }

    private func connectUnix(_ path: String) {
        timeline.resolved = nil
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.isEmpty, !bytes.contains(0) else {
            return fail(.transport(.cannotConnect("\(path): the path is too long for a socket")))
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        guard let descriptor = openDescriptor(AF_UNIX) else { return loseRace() }
        let socket = connect(descriptor) {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    GodwitLibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        guard let socket else { return loseRace() }
        stage = .racing(ConnectRace([], at: services.now), [socket])
    }

    private func attemptReady(_ socket: Socket) {
        guard case .racing(var race, var sockets) = stage, socket.isWritable || socket.hasHungUp else { return }
        let error = SocketCalls.error(of: socket.descriptor)
        guard error == 0 else {
            note(error)
            sockets.removeAll { $0 === socket }
            socket.close()
            race.failed(at: services.now)
            stage = .racing(race, sockets)
            return tryNext()
        }
        for rival in sockets where rival !== socket { rival.close() }
        timeline.connected = services.now
        let connection = Connection(socket, timeline)
        connection.onReady = { [weak self] in self?.peerAnswered() }
        begin(on: connection)
    }

    // MARK: Proxy and TLS

    private func begin(on connection: Connection) {
        guard let proxy = plan.proxy else { return secure(connection) }
        guard proxy.kind == .https else { return ask(proxy, on: connection) }
        do throws(NetworkError) {
            let plan = try services.proxySecurity(for: proxy.place)
            try connection.beginTLS(
                plan.context, host: plan.host, pins: nil, tickets: plan.tickets, key: plan.ticketKey, isProxy: true)
            stage = .proxyHandshake(connection)
            proceed()
        } catch {
            fail(error.kind)
        }
    }

    private func ask(_ proxy: ProxyAddress, on connection: Connection) {
        guard let tunnel = plan.tunnel else { return secure(connection) }
        guard case .socks5(resolves: false) = proxy.kind, SocketAddress(tunnel.bareHost, port: tunnel.port) == nil
        else {
            return ask(proxy, on: connection, for: tunnel)
        }
        stage = .asking(connection, ProxyHandshake(proxy, nil, to: tunnel))
        services.resolve(tunnel) { [weak self] addresses in
            guard let self, case .asking = stage else { return }
            guard let address = addresses.first else { return fail(.transport(.cannotResolveHost(tunnel.host))) }
            let host = String(address.text[..<(address.text.lastIndex(of: ":") ?? address.text.endIndex)])
            ask(proxy, on: connection, for: HostAndPort(host: host, port: tunnel.port))
        }
    }

    private func ask(_ proxy: ProxyAddress, on connection: Connection, for target: HostAndPort) {
        var handshake = nextHandshake.take() ?? ProxyHandshake(proxy, plan.authentication, to: target)
        let greeting = handshake.start()
        stage = .asking(connection, handshake)
        send(greeting, handshake, on: connection)
        proceed()
    }

    private func send(_ bytes: [UInt8], _ handshake: ProxyHandshake, on connection: Connection) {
        if case .connect = handshake { plan.onHeadSent?(String(decoding: bytes, as: UTF8.self)) }
        if bytes.withUnsafeBytes({ connection.send($0) }) == nil { lose(connection) }
    }

    private func secure(_ connection: Connection) {
        guard let url = plan.secureHost else { return end(.connected(connection)) }
        do throws(NetworkError) {
            let plan = try services.security(for: url, self.plan.protocols)
            try connection.beginTLS(
                plan.context, host: plan.host, pins: plan.pins, tickets: plan.tickets, key: plan.ticketKey,
                isProxy: false)
            stage = .handshake(connection)
            proceed()
        } catch {
            stage = .handshake(connection)
            fail(error.kind)
        }
    }

    private func peerAnswered() {
        guard !isWaitingForTurn else { return }
        isWaitingForTurn = true
        services.shakeSoon(self)
    }

    /// Continues after events of the connection.
    func proceed() {
        isWaitingForTurn = false
        switch stage {
        case .proxyHandshake(let connection):
            guard let proxy = plan.proxy, hasShaken(connection) else { return }
            ask(proxy, on: connection)
        case .handshake(let connection):
            guard hasShaken(connection) else { return }
            // A whole handshake may fit in one turn.
            services.readClock()
            connection.timeline.secured = services.now
            end(.connected(connection))
        case .asking(let connection, let handshake): readAnswer(connection, handshake)
        case .lookup, .racing, .over: break
        }
    }

    private func hasShaken(_ connection: Connection) -> Bool {
        switch connection.handshake() {
        case .done: return true
        case .wantsRead, .wantsWrite: break
        case .ended: fail(.insecure(.handshake("the server closed the connection during the handshake")))
        case .failed(let kind): fail(kind)
        }
        return false
    }

    /// How often one turn of the loop reads from a proxy, mostly one byte.
    private static let readsPerTurn = 1000

    private func readAnswer(_ connection: Connection, _ handshake: ProxyHandshake) {
        guard connection.flush() != nil else { return lose(connection) }
        var handshake = handshake
        var count = 0
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while case .asking = stage {
                // Others have their turn, also while a proxy sends a huge head.
                guard count < Self.readsPerTurn else { return peerAnswered() }
                count += 1
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, handshake.readLimit)])
                switch connection.receive(into: room) {
                case .bytes(let count):
                    var bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
                    take(handshake.receive(&bytes), connection, handshake)
                case .nothing: return
                case .end: return take(handshake.end(), connection, handshake)
                case .failed: return lose(connection)
                }
            }
        }
    }

    private func take(_ step: ProxyHandshake.Step, _ connection: Connection, _ handshake: ProxyHandshake) {
        stage = .asking(connection, handshake)
        switch step {
        case .wait: break
        case .open: secure(connection)
        case .send(let bytes): send(bytes, handshake, on: connection)
        case .reconnect:
            connection.close()
            nextHandshake = handshake
            stage = .lookup
            start()
        case .failed(let kind): fail(kind)
        }
    }

    private func lose(_ connection: Connection) {
        guard case .transport(.connectionLost(let reason))? = connection.failure else {
            return fail(connection.failure ?? .transport(.connectionLost("it is closed")))
        }
        guard case .asking(_, let handshake) = stage else { return fail(.transport(.proxy(reason))) }
        take(handshake.end(reason), connection, handshake)
    }
}
#endif
