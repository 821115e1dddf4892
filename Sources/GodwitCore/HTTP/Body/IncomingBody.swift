/// A body that arrives from the network: can be read once, and ends its transfer when nobody wants it any more.
package final class IncomingBody: Sendable {
    /// The number of bytes that the reader gets; nil where it is not known beforehand.
    package let length: Int64?
    private let channel: BodyChannel
    private let claimed = Flag()

    package init(_ channel: BodyChannel, length: Int64?) {
        self.channel = channel
        self.length = length
    }

    deinit {
        // Dropped unread: nobody will ever ask for the rest. A reading has its own hold on the channel.
        if claimed.raise() { channel.cancel() }
    }

    /// The fields that came after the body; empty until it has ended.
    var trailers: HTTPFields { channel.trailers }

    /// The one reading of the body; `.invalidRequest` from the second call on.
    func claim() -> Result<BodyRead, NetworkError> {
        guard claimed.raise() else {
            return .failure(
                NetworkError(.invalidRequest(reason: "a response body can be read only once"), phase: .receiving))
        }
        return .success(BodyRead(channel))
    }

    /// One pass over the chunks; its end, early or not, ends the transfer.
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
