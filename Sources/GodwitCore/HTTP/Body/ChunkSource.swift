import Synchronization

/// Where the chunks of a streamed body come from.
package struct ChunkSource: Sendable {
    /// Gives the next chunk, or nil at the end.
    package typealias Pull = (isolated (any Actor)?) async throws -> Data?

    /// The number of bytes; nil where it is not known.
    package let length: Int64?
    /// Whether ``open()`` can be called more than once.
    package let isReplayable: Bool
    private let make: @Sendable () -> Pull

    init<Chunks: AsyncSequence & Sendable>(
        length: Int64?, make: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data {
        self.length = length
        isReplayable = true
        self.make = { Self.pull(from: make()) }
    }

    /// A source that can be opened once; a second reading throws `.transport(.cannotSendBody)`.
    package init<Chunks: AsyncSequence & Sendable>(length: Int64?, once chunks: Chunks) where Chunks.Element == Data {
        let used = Flag()
        self.length = length
        isReplayable = false
        make = { used.raise() ? Self.pull(from: chunks) : { _ in throw Self.usedUp } }
    }

    /// Starts over, where the source can.
    ///
    /// Does not fail: what is wrong with the source is thrown by the first pull.
    package func open() -> Pull {
        make()
    }

    /// The next chunk that is not empty, with any failure of the source as a ``NetworkError``.
    package static func next(
        from pull: Pull, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> Data? {
        do {
            while let chunk = try await pull(actor) {
                if !chunk.isEmpty { return chunk }
            }
            return nil
        } catch let error as NetworkError {
            throw error
        } catch is CancellationError {
            throw NetworkError(.cancelled, phase: .sending)
        } catch {
            throw NetworkError(.transport(.cannotSendBody("\(error)")), phase: .sending, underlying: error)
        }
    }

    private static func pull<Chunks: AsyncSequence>(from chunks: Chunks) -> Pull where Chunks.Element == Data {
        // Safe: the one iterator of the body that holds this closure calls it, one call after the other.
        nonisolated(unsafe) var iterator = chunks.makeAsyncIterator()
        return { try await iterator.next(isolation: $0) }
    }

    private static var usedUp: NetworkError {
        NetworkError(.transport(.cannotSendBody("the stream was read once already")), phase: .sending)
    }
}

/// Something that can happen once.
final class Flag: Sendable {
    private let isRaised = Atomic(false)

    /// Whether this call was the first.
    func raise() -> Bool {
        !isRaised.exchange(true, ordering: .acquiringAndReleasing)
    }
}
