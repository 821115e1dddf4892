#if os(Linux)
import CGodwitCurl
import GodwitSockets

/// A connection in the poller's registry.
struct Connection {
    /// Whether it carries several requests at the same time.
    enum Sharing: UInt8 {
        case unknown
        /// HTTP/1: one, and nothing arrives between two of them.
        case exclusive
        /// HTTP/2: several, and frames arrive at any time.
        case shared
    }

    /// Whether libcurl may keep it for later exchanges.
    var isPooled = false
    var sharing = Sharing.unknown
    /// Whether it was shut down, and has to be closed by libcurl.
    var hasEnded = false
    /// Its local port, known once it has ended, when the system no longer tells it.
    var localPort = 0
    var opened = LoopTime.zero
    /// When the last exchange stopped waiting for it. Meaningless while one waits.
    var idleSince = LoopTime.zero
}

// The registry of connections.
extension Poller {
    /// The connection with this descriptor; nil for other descriptors.
    subscript(descriptor: Int32) -> Connection? {
        guard watches.indices.contains(Int(descriptor)), watches[descriptor].isConnection else { return nil }
        return watches[descriptor].connection
    }

    func isIdle(_ descriptor: Int32) -> Bool {
        watches[descriptor].wanted == 0
    }

    /// The multi handle that last waited for a descriptor.
    func generation(of descriptor: Int32) -> UInt32 {
        watches[descriptor].generation
    }

    /// The descriptors of all connections.
    var connections: [Int32] {
        watches.indices.lazy.filter { self.watches[$0].isConnection }.map(Int32.init)
    }

    /// Whether it is unknown yet if a connection is shared.
    func needsSharing(_ descriptor: Int32) -> Bool {
        self[descriptor]?.sharing == .unknown
    }

    func note(_ sharing: Connection.Sharing, of descriptor: Int32) {
        watches[descriptor].connection.sharing = sharing
    }

    /// Shuts a connection down. Nothing is sent on it again, and libcurl finds it closed.
    func end(_ descriptor: Int32) {
        guard let connection = self[descriptor], !connection.hasEnded else { return }
        watches[descriptor].connection.localPort = Int(godwit_local_port(descriptor))
        godwit_end_connection(descriptor)
        watches[descriptor].connection.hasEnded = true
        endedCount += 1
        if isIdle(descriptor) { remove(descriptor) }
    }

    /// Whether a connection from this local port was shut down.
    func hasEnded(from port: Int) -> Bool {
        connections.contains { descriptor in
            self[descriptor].map { $0.hasEnded && $0.localPort == port } ?? false
        }
    }

    /// From now on reports only the end of an idle connection, as libcurl has to read what arrived.
    func awaitClose(_ descriptor: Int32) {
        listen(to: descriptor, for: godwit_epoll_closed)
    }

    /// Reports what arrives on an idle connection.
    func awaitBytes(_ descriptor: Int32) {
        listen(to: descriptor, for: godwit_epoll_in)
    }

    /// Reports all events of an idle connection again.
    func listenAgain(to descriptor: Int32) {
        // Bytes that libcurl doesn't read yet, as after warming up, would be reported again and again.
        guard let connection = self[descriptor], connection.sharing == .shared, isIdle(descriptor), !connection.hasEnded
        else { return }
        listen(to: descriptor, for: godwit_epoll_in)
    }

    private func listen(to descriptor: Int32, for events: UInt32) {
        let index = Int(descriptor)
        control(watches[index].registered == 0 ? .add : .change, descriptor, events)
        watches[index].registered = events
    }
}
#endif
