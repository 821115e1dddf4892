#if os(Linux)
@_spi(Engines) import GodwitCore

/// A command to a connection that switched protocols.
enum DuplexCommand: Sendable {
    case start(any DuplexReceiver)
    case resumeReading
    case write([UInt8], @Sendable (NetworkError?) -> Void)
    case close
}

/// A connection on an event loop, as its user sees it. Each call is a command to the loop, which keeps their order.
final class SocketDuplex: DuplexConnection {
    private let send: @Sendable (DuplexCommand) -> Bool

    /// - Parameter send: Posts a command to the loop; `false` if the loop has ended.
    init(_ send: @escaping @Sendable (DuplexCommand) -> Bool) {
        self.send = send
    }

    deinit { close() }

    func start(_ receiver: any DuplexReceiver) {
        if !send(.start(receiver)) { receiver.receiveEnd(Self.shutdown) }
    }

    func resumeReading() {
        _ = send(.resumeReading)
    }

    func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void) {
        if !send(.write(bytes, completion)) { completion(Self.shutdown) }
    }

    func close() {
        _ = send(.close)
    }

    private static let shutdown = NetworkError(.shutdown, phase: .sending)
}
#endif
