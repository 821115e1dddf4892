/// A body that arrives from the network. It can be read once; releasing it ends the transfer.
package final class IncomingBody: Sendable {
    /// The number of bytes that the reader gets. `nil` if unknown.
    package let length: Int64?
    private let channel: BodyChannel
    private let claimed = Flag()
    private let observer: Observer?
    /// Awaited once all is read, before the reader learns of the end.
    private let finish: Finish?

    typealias Observer = @Sendable (HTTPBody.ReadingStep) -> Void
    typealias Finish = @Sendable () async -> Void

    package convenience init(_ channel: BodyChannel, length: Int64?) {
        self.init(channel, length: length, nil, nil)
    }

    private init(_ channel: BodyChannel, length: Int64?, _ observer: Observer?, _ finish: Finish?) {
        self.channel = channel
        self.length = length
        self.observer = observer
        self.finish = finish
    }

    /// The same body with one more observer, in place of this one. A body that is already being read stays as it is.
    func observed(by observer: @escaping Observer, atEnd finish: Finish? = nil) -> IncomingBody {
        guard claimed.raise() else { return self }
        let (earlier, first) = (self.observer, self.finish)
        return IncomingBody(channel, length: length) { step in
            earlier?(step)
            observer(step)
        } _: {
            await first?()
            await finish?()
        }
    }

    deinit {
        // Released unread: ends the transfer. A read in progress retains the channel itself.
        if claimed.raise() {
            channel.cancel()
            observer?(.released)
        }
    }

    /// The fields after the body. Empty until it has ended.
    var trailers: HTTPFields { channel.trailers }

    /// Starts the only read of the body. Returns `.invalidRequest` from the second call on.
    func claim() -> Result<BodyRead, NetworkError> {
        guard claimed.raise() else {
            return .failure(
                NetworkError(.invalidRequest(reason: "a response body can be read only once"), phase: .receiving))
        }
        return .success(BodyRead(channel, observer, finish))
    }

    /// One pass over the chunks. Releasing it ends the transfer.
    final class BodyRead {
        private let channel: BodyChannel
        private var chunks: [Data] = []
        private var observer: Observer?
        private var finish: Finish?

        init(_ channel: BodyChannel, _ observer: Observer?, _ finish: Finish?) {
            self.channel = channel
            self.observer = observer
            self.finish = finish
        }

        deinit {
            channel.cancel()
            observer?(.released)
        }

        func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            guard observer != nil else { return try await unobserved(isolation: actor) }
            do throws(NetworkError) {
                let chunk = try await unobserved(isolation: actor)
                if let chunk {
                    observer?(.chunk(chunk))
                } else {
                    end(nil)
                    await finish.take()?()
                }
                return chunk
            } catch {
                end(error)
                throw error
            }
        }

        private func end(_ error: NetworkError?) {
            observer.take()?(.end(error))
        }

        private func unobserved(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            if chunks.isEmpty {
                chunks = try await channel.next(isolation: actor)
                chunks.reverse()
            }
            return chunks.popLast()
        }
    }
}
