#if os(Linux)
import GodwitCore
import GodwitLibc
import GodwitTLS

/// A connection to a server: owns its socket, its TLS session, and the bytes that wait to be sent. Used in the loop's turn.
final class Connection {
    /// What a read found.
    enum Arrival {
        case bytes(Int)
        case nothing
        /// The peer closed its side. Over TLS, whether it said so (RFC 8446 section 6.1).
        case end(isNotified: Bool)
        case failed(NetworkError.Kind)
    }

    /// When its parts were ready; `nil` if there was no such part.
    struct Timeline {
        var start: LoopTime
        var resolved: LoopTime?
        var connected: LoopTime?
        var secured: LoopTime?
    }

    let socket: Socket
    /// TLS with the server; through an https proxy, within that of the proxy.
    private(set) var tls: TLSSession?
    private var proxyTLS: TLSSession?
    var timeline: Timeline
    /// The server's address and port as text.
    let remoteText: String?
    let localAddress: SocketAddress?
    /// Bytes that the system didn't take at once.
    private var pending: [UInt8] = []
    private var pendingStart = 0
    /// How many bytes the system took, also those before a failure.
    private(set) var takenBytes = 0
    /// Why nothing more can be sent. What the peer sent before may still be there.
    private(set) var failure: NetworkError.Kind?
    /// Whether the peer's end of stream has been read.
    private(set) var hasEnded = false
    /// Called after events came. It holds what uses the connection until that is closed; weak references would make every
    /// count of references slow.
    var onReady: (() -> Void)? {
        get { socket.onReady }
        set { socket.onReady = newValue }
    }

    init(_ socket: Socket, _ timeline: Timeline) {
        self.socket = socket
        self.timeline = timeline
        remoteText = SocketCalls.peerAddress(of: socket.descriptor)?.text
        localAddress = SocketCalls.localAddress(of: socket.descriptor)
    }

    var isSecure: Bool { tls != nil }

    /// Whether a read may find something.
    var isReadable: Bool { socket.isReadable || tls?.hasBufferedInput == true || proxyTLS?.hasBufferedInput == true }

    // MARK: TLS

    /// Begins TLS with the peer, or with the proxy.
    func beginTLS(
        _ context: TLSContext, host: String, pins: PinCheck?, tickets: TLSTickets?, key: String, isProxy: Bool
    ) throws(NetworkError) {
        let carrier: any TLSCarrier = proxyTLS ?? socket
        let session = try TLSSession(
            context, host: host, over: carrier, pins: pins, tickets: tickets, ticketKey: key)
        if isProxy { proxyTLS = session } else { tls = session }
    }

    /// Continues the handshake that was begun last.
    func handshake() -> TLSSession.Step {
        (tls ?? proxyTLS)?.handshake() ?? .done(0)
    }

    // MARK: Bytes

    /// Reads what has arrived.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Arrival {
        guard let session = tls ?? proxyTLS else { return receivePlain(into: buffer) }
        switch session.read(into: buffer) {
        case .done(let count): return .bytes(count)
        case .wantsRead, .wantsWrite: return .nothing
        case .ended(let isNotified):
            hasEnded = true
            return .end(isNotified: isNotified)
        case .failed(let kind): return fail(kind)
        }
    }

    private func receivePlain(into buffer: UnsafeMutableRawBufferPointer) -> Arrival {
        let count = socket.receive(into: buffer)
        if count > 0 { return .bytes(count) }
        if count == 0 {
            hasEnded = true
            return .end(isNotified: true)
        }
        return count == -Int(EAGAIN) ? .nothing : fail(Self.lost(-count))
    }

    private func fail(_ kind: NetworkError.Kind) -> Arrival {
        failure = failure ?? kind
        return .failed(failure ?? kind)
    }

    static func lost(_ code: Int) -> NetworkError.Kind {
        .transport(.connectionLost(SocketCalls.text(Int32(clamping: code))))
    }

    /// Whether bytes wait until the system takes them.
    var hasPendingOutput: Bool { pendingStart < pending.count }

    /// Sends bytes, and keeps what the system doesn't take. Returns how many it took; `nil` if the connection failed.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard !hasPendingOutput else {
            pending.append(contentsOf: bytes)
            return 0
        }
        guard let count = write(bytes) else { return nil }
        if count < bytes.count { pending.append(contentsOf: bytes[count...]) }
        return count
    }

    /// Sends bytes that wait. Returns how many the system took; `nil` if the connection failed.
    func flush() -> Int? {
        guard hasPendingOutput else { return 0 }
        let count = pending.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[pendingStart...])) }
        guard let count else { return nil }
        pendingStart += count
        guard pendingStart == pending.count else { return count }
        pending.removeAll(keepingCapacity: pending.capacity <= 16 << 10)
        pendingStart = 0
        return count
    }

    /// Writes as much as the system takes.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var sent = 0
        while sent < bytes.count {
            guard failure == nil else { return nil }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            guard let count = writeOnce(rest) else { return nil }
            if count == 0 { break }
            sent += count
            takenBytes += count
        }
        return sent
    }

    private func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int? {
        if let session = tls ?? proxyTLS {
            switch session.write(bytes) {
            case .done(let count): return count
            case .wantsRead, .wantsWrite: return 0
            case .ended: failure = .transport(.connectionLost("the server ended TLS"))
            case .failed(let kind): failure = failure ?? kind
            }
            return nil
        }
        let count = socket.send(bytes)
        if count >= 0 { return count }
        if count == -Int(EAGAIN) { return 0 }
        failure = Self.lost(-count)
        return nil
    }

    /// Tells the peer that nothing more is sent. Reading continues.
    func closeWriting() {
        tls?.sendCloseNotify()
        socket.closeWriting()
    }

    private(set) var isClosed = false

    /// Closes it. Sends close_notify first, as far as the system takes it.
    func close() {
        if failure == nil, !hasPendingOutput { tls?.sendCloseNotify() }
        failure = failure ?? .transport(.connectionLost("it is closed"))
        isClosed = true
        socket.close()
    }
}
#endif
