/// A body that arrives from the network. It can be read once; releasing it ends the transfer.
package final class IncomingBody: Sendable {
    /// The number of bytes that the reader gets. `nil` if unknown.
    package let length: Int64?
    private let channel: BodyChannel
    private let claimed = Flag()

    package init(_ channel: BodyChannel, length: Int64?) {
        self.channel = channel
        self.length = length
    }

    deinit {
        // Released unread: ends the transfer. A read in progress retains the channel itself.
        if claimed.raise() { channel.cancel() }
    }

    /// The fields after the body. Empty until it has ended.
    var trailers: HTTPFields { channel.trailers }

    /// Starts the only read of the body. Returns `.invalidRequest` from the second call on.
    func claim() -> Result<BodyRead, NetworkError> {
        guard claimed.raise() else {
            return .failure(
                NetworkError(.invalidRequest(reason: "a response body can be read only once"), phase: .receiving))
        }
        return .success(BodyRead(channel))
    }

    /// One pass over the chunks. Releasing it ends the transfer.
    final class BodyRead {
        private let channel: BodyChannel
        private var chunks: [Data] = []

        init(_ channel: BodyChannel) {
            self.channel = channel
        }

        deinit {
            channel.cancel()
        }

        func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            if chunks.isEmpty {
                chunks = try await channel.next(isolation: actor)
                chunks.reverse()
            }
            return chunks.popLast()
        }
    }
}
