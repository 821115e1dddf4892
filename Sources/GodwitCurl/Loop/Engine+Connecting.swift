import CGodwitCurl
import Glibc
import GodwitCore

// Connections that are being made, and the order in which events are handled.
extension Engine {
    /// libcurl wants a socket for an exchange.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?, for exchange: Exchange) -> Int32 {
        let isDatagram = address.map { godwit_is_datagram($0) != 0 } ?? false
        if isDatagram, let address, !admitsDatagrams(address, for: exchange) { return CURL_SOCKET_BAD }
        let descriptor = godwit_open_socket(address)
        let error = errno
        guard descriptor >= 0, let handle = exchange.handle else {
            // libcurl will only report that it could not connect.
            if error == EMFILE || error == ENFILE { exchange.state.lackDescriptor() }
            return descriptor
        }
        prepare(descriptor, for: exchange)
        let url = exchange.request.url
        if isDatagram { quic.opened(descriptor, to: url.origin, at: now) }
        let known = address.flatMap { godwit_address_of($0) }.flatMap { SocketAddress($0) }
        races.opened(descriptor, known, isDatagram: isDatagram, for: url, by: handle, at: now)
        exchange.noteConnecting()
        return descriptor
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
