import Synchronization

/// The source of a streamed body's chunks.
package struct ChunkSource: Sendable {
    /// Returns the next chunk, or `nil` at the end.
    package typealias Pull = (isolated (any Actor)?) async throws -> Data?

    /// The number of bytes. `nil` if unknown.
    package let length: Int64?
    /// Whether ``open()`` can be called more than once.
    package let isReplayable: Bool
    /// The fields after the chunks.
    let trailers: Trailers?
    private let make: @Sendable () -> Pull

    init<Chunks: AsyncSequence & Sendable>(
        length: Int64?, make: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data {
        self.length = length
        isReplayable = true
        trailers = nil
        self.make = { Self.pull(from: make()) }
    }

    /// Creates a source that can be read once. Reading it again throws `.transport(.cannotSendBody)`.
    package init<Chunks: AsyncSequence & Sendable>(length: Int64?, once chunks: Chunks) where Chunks.Element == Data {
        self.init(length: length, once: chunks, used: Flag())
    }

    /// - Parameter used: Raised by the first reading; shared by all sources of the same chunks.
    init<Chunks: AsyncSequence & Sendable>(
        length: Int64?, once chunks: Chunks, used: Flag
    ) where Chunks.Element == Data {
        self.length = length
        isReplayable = false
        trailers = nil
        make = { used.raise() ? Self.pull(from: chunks) : { _ in throw Self.usedUp } }
    }

    /// Creates a source of a body's chunks with trailer fields, which only a body of unknown length can have.
    init(_ body: HTTPBody, trailers: Trailers?) {
        length = nil
        isReplayable = body.isReplayable
        self.trailers = trailers
        make = { Self.pull(from: body) }
    }

    /// Starts reading, from the beginning if the source allows it. Errors are thrown by the first pull.
    package func open() -> Pull {
        make()
    }

    /// Returns the next nonempty chunk. Failures of the source become a ``NetworkError``.
    package static func next(
        from pull: Pull, isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> Data? {
        try await converting {
            while let chunk = try await pull(actor) {
                if !chunk.isEmpty { return chunk }
            }
            return nil
        }
    }

    /// Makes a ``NetworkError`` of what the caller's code throws.
    static func converting<Result>(
        isolation actor: isolated (any Actor)? = #isolation, _ produce: () async throws -> Result
    ) async throws(NetworkError) -> Result {
        do {
            return try await produce()
        } catch let error as NetworkError {
            throw error
        } catch is CancellationError {
            throw NetworkError(.cancelled, phase: .sending)
        } catch {
            throw NetworkError(.transport(.cannotSendBody("\(error)")), phase: .sending, underlying: error)
        }
    }

    private static func pull<Chunks: AsyncSequence>(from chunks: Chunks) -> Pull where Chunks.Element == Data {
        // Safe: only one body iterator holds this closure, and it makes one call at a time.
        nonisolated(unsafe) var iterator = chunks.makeAsyncIterator()
        return { try await iterator.next(isolation: $0) }
    }

    private static var usedUp: NetworkError {
        NetworkError(.transport(.cannotSendBody("the stream was read once already")), phase: .sending)
    }
}

/// A flag that can be raised once.
final class Flag: Sendable {
    private let isRaised = Atomic(false)

    /// Raises the flag. Returns `true` if this call was the first.
    func raise() -> Bool {
        !isRaised.exchange(true, ordering: .acquiringAndReleasing)
    }
}
