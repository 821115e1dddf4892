import Synchronization

/// A body that arrives from the network. It can be read once; releasing it ends the transfer.
package final class IncomingBody: Sendable {
    /// What an observer of a reading sees.
    enum ReadEvent: Sendable {
        case chunk(Data)
        case end
        /// The body was released before its end, or read to an error.
        case released
    }

    /// The number of bytes that the reader gets. `nil` if unknown.
    package let length: Int64?
    private let channel: BodyChannel
    private let claimed = Flag()
    private let observers = Mutex<[@Sendable (ReadEvent) -> Void]>([])

    package init(_ channel: BodyChannel, length: Int64?) {
        self.channel = channel
        self.length = length
    }

    deinit {
        // Released unread: ends the transfer. A read in progress retains the channel itself.
        guard claimed.raise() else { return }
        channel.cancel()
        for observer in observers.withLock(\.self) { observer(.released) }
    }

    /// Calls a closure for each chunk that is read, and at the end; perhaps more than once at the end.
    func observe(_ observer: @escaping @Sendable (ReadEvent) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// The fields after the body. Empty until it has ended.
    var trailers: HTTPFields { channel.trailers }

    /// Starts the only read of the body. Returns `.invalidRequest` from the second call on.
    func claim() -> Result<BodyRead, NetworkError> {
        guard claimed.raise() else {
            return .failure(
                NetworkError(.invalidRequest(reason: "a response body can be read only once"), phase: .receiving))
        }
        return .success(BodyRead(channel, observers.withLock(\.self)))
    }

    /// One pass over the chunks. Releasing it ends the transfer.
    final class BodyRead {
        private let channel: BodyChannel
        private let observers: [@Sendable (ReadEvent) -> Void]
        private var chunks: [Data] = []

        init(_ channel: BodyChannel, _ observers: [@Sendable (ReadEvent) -> Void]) {
            self.channel = channel
            self.observers = observers
        }

        deinit {
            channel.cancel()
            for observer in observers { observer(.released) }
        }

        func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            if chunks.isEmpty {
                chunks = try await channel.next(isolation: actor)
                chunks.reverse()
            }
            let chunk = chunks.popLast()
            for observer in observers { observer(chunk.map(ReadEvent.chunk) ?? .end) }
            return chunk
        }
    }
}
