#if os(Linux)
import Glibc
import Godwit
import PeerSupport

/// A server that sends the beginning of a recorded response in pieces, and then ends the connection in some way. The path of
/// the request says which.
final class CutServer: Sendable {
    /// What a request asks for.
    struct Cut: Sendable {
        /// The place in the corpus.
        var place: Int
        /// How many bytes are sent.
        var count: Int
        /// The bytes of a piece.
        var size: Int
        var ending: CutResponse.Ending

        var response: CutResponse { CutResponse.corpus[place] }

        var path: String { "/\(place)/\(count)/\(size)/\(ending.rawValue)" }

        init(_ place: Int, _ count: Int, inPiecesOf size: Int, _ ending: CutResponse.Ending) {
            (self.place, self.count, self.size, self.ending) = (place, count, size, ending)
        }

        init?(head: String) {
            let words = head.split(separator: " ").dropFirst().first?.split(separator: "/") ?? []
            guard words.count == 4, let place = Int(words[0]), let count = Int(words[1]), let size = Int(words[2]),
                let ending = CutResponse.Ending(rawValue: String(words[3]))
            else { return nil }
            self.init(place, count, inPiecesOf: size, ending)
        }

        var pieces: [ArraySlice<UInt8>] {
            stride(from: 0, to: count, by: size).map { response.bytes[$0..<min($0 + size, count)] }
        }
    }

    private let listener: Listener
    private let identity: TLSPeer.Identity?

    /// - Parameter isSecure: Whether it speaks TLS.
    init(isSecure: Bool) throws {
        listener = try Listener()
        identity = isSecure ? try TLSPeer.Identity() : nil
        listener.serve { [identity] connection in
            if let identity {
                Self.serve(connection, identity)
            } else {
                Self.serve(connection)
            }
        }
    }

    var isSecure: Bool { identity != nil }

    /// The authority that a client has to trust, in PEM.
    var authority: String? { identity?.authority }

    func request(_ cut: Cut) throws -> HTTPRequest {
        let origin = "\(isSecure ? "https" : "http")://127.0.0.1:\(listener.url.port)"
        return HTTPRequest(method: cut.response.method, url: try HTTPURL(origin + cut.path))
    }

    private static func serve(_ connection: Listener.Connection) {
        guard let head = connection.readHead(), let cut = Cut(head: head) else { return }
        connection.sendWithoutDelay()
        let client = ClientSocket(of: connection)
        for piece in cut.pieces {
            guard connection.write(piece) else { break }
            client?.waitUntilRead()
        }
        switch cut.ending {
        case .end, .closeNotify, .alert: connection.end()
        case .reset: connection.resetOnClose()
        case .silence: connection.waitUntilPeerLeaves()
        }
    }

    private static func serve(_ connection: Listener.Connection, _ identity: TLSPeer.Identity) {
        connection.sendWithoutDelay()
        guard let peer = TLSPeer(identity, over: connection), let head = peer.readHead(), let cut = Cut(head: head)
        else { return }
        // Each is a record, and a client gets one record at a time.
        for piece in cut.pieces { guard peer.write(piece) else { break } }
        // A reset may overtake what wasn't read.
        if cut.ending == .reset { ClientSocket(of: connection)?.waitUntilRead() }
        switch cut.ending {
        case .end: connection.end()
        case .closeNotify: peer.sendCloseNotify()
        case .alert: peer.sendAlert()
        case .reset: connection.resetOnClose()
        case .silence: connection.waitUntilPeerLeaves()
        }
    }
}

/// The client's end of a connection, which is in this process: it shows whether the client has read what was sent. Otherwise two
/// pieces could be read as one.
private struct ClientSocket {
    private let descriptor: Int32

    /// `nil` if it is closed already.
    init?(of connection: Listener.Connection) {
        guard let here = Self.port(of: connection.descriptor, getsockname),
            let there = Self.port(of: connection.descriptor, getpeername)
        else { return nil }
        let descriptors = 3..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))
        let found = descriptors.first { descriptor in
            Self.port(of: descriptor, getsockname) == there && Self.port(of: descriptor, getpeername) == here
        }
        guard let found else { return nil }
        descriptor = found
    }

    /// Bounded, as the descriptor may be another one's by now.
    func waitUntilRead() {
        for _ in 0..<10_000 {
            var count: Int32 = 0
            guard ioctl(descriptor, UInt(FIONREAD), &count) == 0, count > 0 else { return }
            sched_yield()
        }
    }

    private static func port(
        of descriptor: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
        }
        return code == 0 && address.sin_family == sa_family_t(AF_INET) ? address.sin_port : nil
    }
}
#endif
