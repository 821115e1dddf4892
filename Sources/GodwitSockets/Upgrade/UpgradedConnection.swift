#if os(Linux)
@_spi(Engines) import GodwitCore

/// What an upgraded connection asks of its loop.
protocol UpgradeServices: AnyObject {
    var readBuffer: UnsafeMutableRawBufferPointer { get }
    func ended(_ connection: UpgradedConnection)
    func serveLater(_ connection: UpgradedConnection)
    /// Calls back once, so many nanoseconds later.
    func call(after nanoseconds: Int64, _ action: @escaping () -> Void)
}

/// A connection that left HTTP: it carries bytes both ways. Used in the loop's turn.
final class UpgradedConnection {
    private enum Phase {
        case open
        /// Nothing more is passed on. Written bytes go out first, then what arrives is dropped until the peer closes, or for
        /// the longest time: a connection that is closed with unread bytes is reset, and the peer may lose the close frame.
        case flushing, draining
        case closed
    }

    private struct Piece {
        let size: Int
        let completion: @Sendable (NetworkError?) -> Void
    }

    let id: Int
    private let connection: Connection
    private unowned let services: any UpgradeServices
    private var receiver: (any DuplexReceiver)?
    /// Bytes that followed the 101 immediately.
    private var early: [UInt8]
    private var phase = Phase.open
    private var reads = false
    private var hasEnded = false
    /// Written bytes that the system has not taken, in order; and how much of the first one it has.
    private var pieces = Line<Piece>()
    private var taken = 0

    /// How often one turn of the loop reads from one connection before the others have their turn.
    private static let readsPerTurn = 8
    /// The longest time that flushing and draining take, in nanoseconds.
    private static let longestEnd: Int64 = 1_000_000_000

    init(_ id: Int, _ connection: Connection, early: [UInt8], _ services: any UpgradeServices) {
        self.id = id
        self.connection = connection
        self.early = early
        self.services = services
        connection.onReady = { [self] in serve() }
    }

    func perform(_ command: DuplexCommand) {
        switch command {
        case .start(let receiver): start(receiver)
        case .resumeReading: resumeReading()
        case .write(let bytes, let completion): write(bytes, completion)
        case .close: close()
        }
    }

    /// Continues after events of the socket, or in the next turn.
    func serve() {
        guard phase != .closed else { return }
        if connection.hasPendingOutput { flush() }
        if phase == .flushing, !connection.hasPendingOutput {
            phase = .draining
            reads = true
            connection.closeWriting()
        }
        readAvailable()
    }

    /// The transport is shut down. A connection that is being closed gets its time.
    func cancel() {
        guard phase == .open else { return }
        end(NetworkError(.cancelled, phase: .receiving))
        closeNow()
    }

    // MARK: Reading

    private func start(_ receiver: any DuplexReceiver) {
        guard phase == .open, self.receiver == nil else { return receiver.receiveEnd(Self.gone) }
        self.receiver = receiver
        let bytes = early
        early = []
        pass(bytes)
    }

    private func resumeReading() {
        // It may have kept some bytes.
        if receiver != nil { pass([]) }
    }

    private func pass(_ bytes: [UInt8]) {
        reads = receiver.map { bytes.withUnsafeBytes($0.receive) } ?? false
        readAvailable()
    }

    private func readAvailable() {
        var count = 0
        while reads, connection.isReadable {
            guard count < Self.readsPerTurn else { return services.serveLater(self) }
            count += 1
            switch connection.receive(into: services.readBuffer) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: services.readBuffer[..<count])
                reads = phase == .draining || receiver?.receive(bytes) ?? false
            case .nothing: return
            case .end:
                end(nil)
                if phase == .draining { closeNow() }
            case .failed(let kind):
                end(NetworkError(kind, phase: .receiving))
                closeNow()
            }
        }
    }

    /// The peer closed its side, or the connection failed. Written bytes may still go out.
    private func end(_ error: NetworkError?) {
        reads = false
        guard !hasEnded else { return }
        hasEnded = true
        receiver.take()?.receiveEnd(error)
    }

    // MARK: Writing

    private func write(_ bytes: [UInt8], _ completion: @escaping @Sendable (NetworkError?) -> Void) {
        guard phase == .open else { return completion(Self.gone) }
        guard let sent = bytes.withUnsafeBytes({ connection.send($0) }) else {
            completion(NetworkError(connection.failure ?? Self.gone.kind, phase: .sending))
            return failWrites()
        }
        if sent == bytes.count, pieces.isEmpty { return completion(nil) }
        if pieces.isEmpty { taken = sent }
        pieces.append(Piece(size: bytes.count, completion: completion))
    }

    private func flush() {
        guard let count = connection.flush() else { return failWrites() }
        taken += count
        while let first = pieces.first, taken >= first.size {
            taken -= first.size
            pieces.popFirst()?.completion(nil)
        }
    }

    private func failWrites() {
        let error = NetworkError(connection.failure ?? Self.gone.kind, phase: .sending)
        // What the peer sent before may still be there.
        reads = receiver != nil
        readAvailable()
        end(error)
        closeNow()
    }

    // MARK: Closing

    /// Closes the connection after everything that was written.
    func close() {
        guard phase == .open else { return }
        guard !hasEnded, connection.failure == nil else { return closeNow() }
        phase = .flushing
        reads = false
        receiver = nil
        services.call(after: Self.longestEnd) { [weak self] in self?.closeNow() }
        serve()
    }

    private func closeNow() {
        guard phase != .closed else { return }
        phase = .closed
        reads = false
        while let piece = pieces.popFirst() { piece.completion(Self.gone) }
        receiver = nil
        connection.close()
        services.ended(self)
    }

    private static let gone = NetworkError(.transport(.connectionLost("it is closed")), phase: .sending)
}
#endif
