#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The connections that are being made: races each against the host's other addresses. Used on the engine's thread.
///
/// libcurl knows a socket only by its number. So the socket of the address that answers first takes the number of the socket
/// that libcurl waits for, and libcurl finds it connected (decision 025).
final class ConnectionRaces {
    /// A connection that one handle makes.
    private final class Attempt {
        /// TCP sockets that libcurl opened.
        var sockets: [Int32] = []
        /// UDP sockets that libcurl opened, for QUIC. They have no rivals.
        var datagrams: [Int32] = []
        /// Sockets to other addresses.
        var rivals: [Int32] = []
        /// Nil if the address has no alternatives.
        var race: AddressRace?
        let url: HTTPURL
        let handle: EasyHandle

        init(_ url: HTTPURL, by handle: EasyHandle) {
            (self.url, self.handle) = (url, handle)
        }
    }

    /// The socket of a connection that carries requests from now on.
    enum Established {
        case stream
        case datagram(Int32)
    }

    /// The most rivals at a time.
    private static let mostRivals = 256
    /// Nanoseconds until a race that had to wait continues.
    private static let pause: Int64 = 5_000_000

    private let poller: Poller
    /// Called on another thread.
    private let onAddresses: @Sendable (HostAndPort, [SocketAddress]) -> Void
    private let overrides: [HostAndPort: [SocketAddress]]
    private let routes: RouteHosts
    /// URLs whose connections go to another host, whose addresses are not raced.
    private let targets: Set<String>
    private var byHandle: [ObjectIdentifier: Attempt] = [:]
    private var bySocket: [Int32: Attempt] = [:]
    private var byRival: [Int32: Attempt] = [:]
    private var stalled: [EasyHandle] = []
    /// When the next step is due; nil for never.
    private(set) var deadline: LoopTime?

    /// - Parameter onAddresses: Called with the addresses of a host, on another thread.
    init(
        _ configuration: CurlConfiguration, _ proxies: ProxyRules, poller: Poller,
        onAddresses: @escaping @Sendable (HostAndPort, [SocketAddress]) -> Void
    ) {
        self.poller = poller
        self.onAddresses = onAddresses
        overrides = AddressList.table(configuration.addressOverrides)
        routes = RouteHosts(proxies)
        targets = Set(configuration.connectionTargets.keys)
    }

    /// Whether no connection is being made.
    var isEmpty: Bool { bySocket.isEmpty }

    /// Whether libcurl is making a connection with this socket: TCP, TLS or a proxy's tunnel.
    func isConnecting(_ descriptor: Int32) -> Bool { bySocket[descriptor] != nil }

    // MARK: What libcurl does

    /// libcurl opened a socket for a handle's exchange.
    ///
    /// - Parameter address: Its address if other addresses of the host may be tried; nil for a UDP socket.
    func opened(
        _ descriptor: Int32, _ address: SocketAddress?, isDatagram: Bool, for url: HTTPURL, by handle: EasyHandle,
        at now: LoopTime
    ) {
        let attempt = byHandle[ObjectIdentifier(handle)] ?? Attempt(url, by: handle)
        byHandle[ObjectIdentifier(handle)] = attempt
        bySocket[descriptor] = attempt
        if isDatagram { return attempt.datagrams.append(descriptor) }
        attempt.sockets.append(descriptor)
        guard let address else { return }
        if attempt.race != nil {
            attempt.race?.opened(address)
        } else if !isElsewhere(url), !routes.hosts(for: url, port: address.port).isEmpty {
            attempt.race = AddressRace(address, at: now)
            deadline = .earlier(deadline, attempt.race?.next)
        }
    }

    private func isElsewhere(_ url: HTTPURL) -> Bool {
        !targets.isEmpty && targets.contains("\(url.host):\(url.port)")
    }

    /// libcurl closes a socket.
    func closed(_ descriptor: Int32) {
        guard !bySocket.isEmpty, let attempt = bySocket.removeValue(forKey: descriptor) else { return }
        attempt.sockets.removeAll { $0 == descriptor }
        attempt.datagrams.removeAll { $0 == descriptor }
        if attempt.sockets.isEmpty, attempt.datagrams.isEmpty {
            finish(attempt)
            byHandle[ObjectIdentifier(attempt.handle)] = nil
            stalled.append(attempt.handle)
        }
    }

    /// Removes the handles that lost their only socket. After a second address that refused immediately, libcurl waits for
    /// neither an event nor a timer, so it has to be called.
    func takeStalled() -> [EasyHandle] {
        if stalled.isEmpty { return [] }
        defer { stalled = [] }
        return stalled
    }

    /// The connection of a handle carries requests from now on, or the handle gave it up.
    ///
    /// Returns what it was made over; nil if the handle made none. libcurl has closed the sockets that lost.
    @discardableResult
    func established(_ handle: EasyHandle) -> Established? {
        guard !byHandle.isEmpty, let attempt = byHandle.removeValue(forKey: ObjectIdentifier(handle)) else {
            return nil
        }
        for descriptor in attempt.sockets + attempt.datagrams { bySocket[descriptor] = nil }
        finish(attempt)
        return attempt.sockets.isEmpty ? attempt.datagrams.last.map(Established.datagram) : .stream
    }

    /// libcurl handled an event on one of its sockets.
    func served(_ descriptor: Int32) {
        guard let attempt = bySocket[descriptor], !attempt.rivals.isEmpty, attempt.sockets.contains(descriptor),
            godwit_is_connected(descriptor) != 0
        else { return }
        finish(attempt)
    }

    // MARK: The race

    /// Handles an event on a rival; false if the descriptor isn't one.
    func take(_ descriptor: Int32, at now: LoopTime) -> Bool {
        guard !byRival.isEmpty, let attempt = byRival[descriptor] else { return false }
        if godwit_is_connected(descriptor) != 0 {
            win(descriptor, attempt)
        } else {
            discard(descriptor, of: attempt)
            attempt.race?.failed(at: now)
            advance(attempt, at: now)
        }
        return true
    }

    /// Continues the races that are due, while there is time.
    func serveTimers(at now: LoopTime, while hasTime: () -> Bool) {
        guard let due = deadline, due <= now else { return }
        deadline = nil
        for attempt in byHandle.values {
            guard let next = attempt.race?.next else { continue }
            if next > now {
                deadline = .earlier(deadline, next)
            } else if hasTime(), byRival.count < Self.mostRivals {
                advance(attempt, at: now)
            } else {
                deadline = .earlier(deadline, now + Self.pause)
            }
        }
    }

    /// The addresses of a host were looked up.
    func found(_ addresses: [SocketAddress], for name: HostAndPort, at now: LoopTime) {
        for attempt in byHandle.values {
            guard let race = attempt.race, routes.hosts(for: attempt.url, port: race.first.port).contains(name) else {
                continue
            }
            if routes.isAmbiguous(for: attempt.url), !addresses.contains(race.first) { continue }
            attempt.race?.found(addresses)
            deadline = .earlier(deadline, attempt.race?.next)
        }
    }

    private func advance(_ attempt: Attempt, at now: LoopTime) {
        while let step = attempt.race?.step(at: now) {
            // The connection may be established, and busy with TLS.
            if attempt.sockets.contains(where: { godwit_is_connected($0) != 0 }) { return finish(attempt) }
            switch step {
            case .lookUp: lookUp(attempt)
            case .connect(let address): connect(attempt, to: address, at: now)
            }
        }
        deadline = .earlier(deadline, attempt.race?.next)
    }

    private func lookUp(_ attempt: Attempt) {
        guard let race = attempt.race else { return }
        let names = routes.hosts(for: attempt.url, port: race.first.port)
        for name in names {
            if let known = overrides[name] {
                guard !routes.isAmbiguous(for: attempt.url) || known.contains(race.first) else { continue }
                attempt.race?.found(known)
                return
            }
            AddressLookup.find(name) { [onAddresses] addresses in onAddresses(name, addresses) }
        }
    }

    private func connect(_ attempt: Attempt, to address: SocketAddress, at now: LoopTime) {
        guard let first = attempt.sockets.first else { return }
        let rival = address.withSystemAddress { godwit_connect($0, $1, first) }
        guard rival >= 0 else {
            attempt.race?.failed(at: now)
            return
        }
        attempt.rivals.append(rival)
        byRival[rival] = attempt
        poller.closed(rival)
        poller.watch(rival, for: godwit_epoll_out)
    }

    /// Replaces the socket that libcurl waits for with the rival.
    private func win(_ rival: Int32, _ attempt: Attempt) {
        if let socket = attempt.sockets.first, !attempt.sockets.contains(where: { godwit_is_connected($0) != 0 }) {
            forget(rival, of: attempt)
            if godwit_replace_socket(rival, socket) != 0 { poller.replaced(socket) }
        }
        finish(attempt)
    }

    private func finish(_ attempt: Attempt) {
        attempt.race?.end()
        for rival in attempt.rivals { discard(rival, of: attempt) }
    }

    private func discard(_ rival: Int32, of attempt: Attempt) {
        forget(rival, of: attempt)
        close(rival)
    }

    private func forget(_ rival: Int32, of attempt: Attempt) {
        attempt.rivals.removeAll { $0 == rival }
        byRival[rival] = nil
        // Before another socket gets its number: the kernel would keep watching this one.
        poller.watch(rival, for: 0)
        poller.closed(rival)
    }
}
#endif
