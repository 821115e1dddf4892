import GodwitCore

/// What an event loop is asked to do with a connection that switched protocols.
enum DuplexCommand: Sendable {
    case start(any DuplexReceiver)
    case resumeReading
    case write([UInt8], @Sendable (NetworkError?) -> Void)
    case close
}

/// A connection on an event loop, as its user sees it: everything is a command to the loop, which keeps their order.
final class CurlDuplex: DuplexConnection {
    private let loop: EventLoop
    private let id: Int

    init(_ id: Int, on loop: EventLoop) {
        self.id = id
        self.loop = loop
    }

    deinit {
        close()
    }

    func start(_ receiver: any DuplexReceiver) {
        if !post(.start(receiver)) { receiver.receiveEnd(Self.shutdown) }
    }

    func resumeReading() {
        post(.resumeReading)
    }

    func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void) {
        if !post(.write(bytes, completion)) { completion(Self.shutdown) }
    }

    func close() {
        post(.close)
    }

    @discardableResult
    private func post(_ command: DuplexCommand) -> Bool {
        loop.post(.duplex(id, command))
    }

    private static let shutdown = NetworkError(.shutdown, phase: .sending)
}
