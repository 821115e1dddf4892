import CGodwitCurl
import GodwitCore

// Connections that are being made, and the order in which events are handled.
extension Engine {
    /// libcurl opened a socket for an exchange.
    func opened(_ descriptor: Int32, _ address: UnsafePointer<curl_sockaddr>?, by handle: EasyHandle) {
        prepare(descriptor, for: handle)
        guard let exchange = handle.exchange else { return }
        let isDatagram = address.map { godwit_is_datagram($0) != 0 } ?? false
        let address = address.flatMap(godwit_address_of).flatMap { SocketAddress($0) }
        let url = exchange.request.url
        if isDatagram { quic.opened(descriptor, to: url.origin, at: now) }
        races.opened(descriptor, address, isDatagram: isDatagram, for: url, by: handle, at: now)
        exchange.noteConnecting()
    }

    /// Milliseconds after which libcurl tries the other family of addresses. Different for each handle, since libcurl would
    /// continue the TLS handshakes of connections with the same timer in one call.
    func nextFamilyDelay() -> Int {
        handleCount += 1
        return 200 + handleCount * 37 % 200
    }

    /// libcurl closes a socket.
    func willClose(_ descriptor: Int32) {
        quic.closed(descriptor)
        noteClosing(of: descriptor)
        races.closed(descriptor)
    }

    func foundAddresses(_ addresses: [SocketAddress], for name: HostAndPort) {
        races.found(addresses, for: name, at: now)
    }

    /// Serves ready descriptors while the turn has time; the kernel reports the rest again.
    ///
    /// New connections come last: a TLS handshake costs more than most exchanges, and a hundred of them would hold up every
    /// response.
    func serveReady(_ count: Int, except signal: Int32) {
        var served = 0
        poller.reportReady(count) { descriptor, events in
            if descriptor == signal { return true }
            if !races.isEmpty, races.take(descriptor, at: now) { return true }
            if !races.isEmpty, races.isConnecting(descriptor) {
                handshakes.append((descriptor, events))
                return true
            }
            serve(descriptor, events)
            served += 1
            return served % 4 != 0 || budget.hasTime(for: .events)
        } _: { descriptor, events in
            serveUnwatched(descriptor, events)
        }
        guard !handshakes.isEmpty else { return }
        for (descriptor, events) in handshakes {
            serve(descriptor, events)
            races.served(descriptor)
            guard budget.hasTime(for: .events) else { break }
        }
        handshakes.removeAll(keepingCapacity: true)
    }
}
