#if os(Linux)
@_spi(Engines) import GodwitCore
import GodwitSockets

/// A command to a connection that switched protocols.
enum DuplexCommand: Sendable {
    case start(any DuplexReceiver)
    case resumeReading
    /// The first of the bytes may be sent already; `sent` says how many.
    case write([UInt8], sent: Int, @Sendable (NetworkError?) -> Void)
    case close
}

/// A connection on an event loop, as its user sees it. Each call is a command to the loop, which keeps their order; only bytes
/// that the system takes at once need no turn of the loop.
final class CurlDuplex: DuplexConnection {
    private let socket: OwnedSocket?
    private let send: @Sendable (DuplexCommand) -> Bool

    /// - Parameters:
    ///   - socket: The connection's socket, unless libcurl has it.
    ///   - send: Posts a command to the loop; false if the loop has ended.
    init(_ socket: OwnedSocket?, _ send: @escaping @Sendable (DuplexCommand) -> Bool) {
        self.socket = socket
        self.send = send
    }

    deinit {
        close()
    }

    func start(_ receiver: any DuplexReceiver) {
        if !send(.start(receiver)) { receiver.receiveEnd(Self.shutdown) }
    }

    func resumeReading() {
        _ = send(.resumeReading)
    }

    func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void) {
        guard let socket else { return post(bytes, sent: 0, completion) }
        let sent = socket.sendUnlessQueued(bytes)
        guard sent < bytes.count else { return completion(nil) }
        post(bytes, sent: sent) { error in
            socket.finishQueued()
            completion(error)
        }
    }

    private func post(_ bytes: [UInt8], sent: Int, _ completion: @escaping @Sendable (NetworkError?) -> Void) {
        if !send(.write(bytes, sent: sent, completion)) { completion(Self.shutdown) }
    }

    func close() {
        _ = send(.close)
    }

    private static let shutdown = NetworkError(.shutdown, phase: .sending)
}
#endif
