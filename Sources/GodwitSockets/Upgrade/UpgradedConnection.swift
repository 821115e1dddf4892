#if os(Linux)
@_spi(Engines) import GodwitCore

/// What an upgraded connection asks of its loop.
protocol UpgradeServices: AnyObject {
    var readBuffer: UnsafeMutableRawBufferPointer { get }
    func ended(_ connection: UpgradedConnection)
    func serveLater(_ connection: UpgradedConnection)
}

/// A connection that left HTTP: it carries bytes both ways. Used in the loop's turn.
final class UpgradedConnection {
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
    private var reads = false
    private var isClosed = false
    private var hasEnded = false
    /// Written bytes that the system has not taken, in order; and how much of the first one it has.
    private var pieces = Line<Piece>()
    private var taken = 0

    /// How often one turn of the loop reads from one connection before the others have their turn.
    private static let readsPerTurn = 8

    init(_ id: Int, _ connection: Connection, early: [UInt8], _ services: any UpgradeServices) {
        (self.id, self.connection, self.early, self.services) = (id, connection, early, services)
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
        guard !isClosed else { return }
        if connection.hasPendingOutput { flush() }
        readAvailable()
    }

    /// The transport is shut down.
    func cancel() {
        end(NetworkError(.cancelled, phase: .receiving))
        close()
    }

    // MARK: Reading

    private func start(_ receiver: any DuplexReceiver) {
        guard !isClosed, self.receiver == nil else { return receiver.receiveEnd(Self.gone) }
        self.receiver = receiver
        let bytes = early
        early = []
        pass(bytes)
    }

    private func resumeReading() {
        // It may have kept some bytes.
        if !isClosed, receiver != nil { pass([]) }
    }

    private func pass(_ bytes: [UInt8]) {
        reads = receiver.map { bytes.withUnsafeBytes($0.receive) } ?? false
        readAvailable()
    }

    private func readAvailable() {
        var count = 0
        while reads, !isClosed, connection.isReadable {
            guard count < Self.readsPerTurn else { return services.serveLater(self) }
            count += 1
            switch connection.receive(into: services.readBuffer) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: services.readBuffer[..<count])
                reads = receiver?.receive(bytes) ?? false
            case .nothing: return
            case .end: end(nil)
            case .failed(let kind):
                end(NetworkError(kind, phase: .receiving))
                close()
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
        guard !isClosed else { return completion(Self.gone) }
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
        close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        reads = false
        while let piece = pieces.popFirst() { piece.completion(Self.gone) }
        receiver = nil
        connection.close()
        services.ended(self)
    }

    private static let gone = NetworkError(.transport(.connectionLost("it is closed")), phase: .sending)
}
#endif
