extension AsyncSequence where Self: Sendable, Element == Data, Failure == NetworkError {
    /// The single bytes of the body.
    ///
    /// ```swift
    /// for try await byte in response.body.bytes { checksum.update(byte) }
    /// ```
    public var bytes: Bytes<Self> { Bytes(self) }
}

/// The single bytes of a sequence of chunks.
///
/// ```swift
/// for try await byte in api.stream(.export).bytes { checksum.update(byte) }
/// ```
public struct Bytes<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Chunks.Element == Data, Chunks.Failure == NetworkError {
    public typealias Element = UInt8
    public typealias Failure = NetworkError

    private let chunks: Chunks

    init(_ chunks: Chunks) {
        self.chunks = chunks
    }

    /// Starts to read the chunks. Whether they can be read again depends on them.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: chunks.makeAsyncIterator())
    }

    /// Reads a chunk, then returns its bytes without suspending.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: Chunks.AsyncIterator
        private var chunk = Data()
        private var position = 0

        init(chunks: Chunks.AsyncIterator) {
            self.chunks = chunks
        }

        /// The next byte; `nil` at the end. Throws what the chunks throw.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> UInt8? {
            while position == chunk.endIndex {
                guard let next = try await chunks.next(isolation: actor) else { return nil }
                chunk = next
                position = next.startIndex
            }
            defer { position += 1 }
            return chunk[position]
        }

        public mutating func next() async throws(NetworkError) -> UInt8? {
            try await next(isolation: nil)
        }
    }
}
