extension AsyncSequence where Self: Sendable, Element == Data, Failure == NetworkError {
    /// The characters of the body, which is UTF-8. Invalid bytes are repaired; a byte order mark at the start is removed.
    ///
    /// ```swift
    /// for try await character in api.stream(.log).characters { print(character, terminator: "") }
    /// ```
    ///
    /// A character appears once the next one has begun, as an accent or a line feed after a carriage return belongs to it.
    public var characters: Characters<Self> { Characters(self) }
}

/// The characters of a sequence of chunks. Those that are split between chunks are decoded correctly.
///
/// ```swift
/// for try await character in api.stream(.log).characters { print(character, terminator: "") }
/// ```
///
/// A character of more than 256 bytes, such as a letter with hundreds of accents, is returned in parts.
public struct Characters<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Chunks.Element == Data, Chunks.Failure == NetworkError {
    public typealias Element = Character
    public typealias Failure = NetworkError

    private let chunks: Chunks

    init(_ chunks: Chunks) {
        self.chunks = chunks
    }

    /// Starts to read the chunks. Whether they can be read again depends on them.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: chunks.makeAsyncIterator())
    }

    /// Reads a chunk, then returns its characters without suspending.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var chunks: Chunks.AsyncIterator
        private var splitter = CharacterSplitter()
        private var isAtEnd = false

        init(chunks: Chunks.AsyncIterator) {
            self.chunks = chunks
        }

        /// The next character; `nil` at the end. Throws what the chunks throw.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Character? {
            while !isAtEnd {
                if let character = splitter.next() { return character }
                if let chunk = try await chunks.next(isolation: actor) {
                    splitter.append(chunk)
                } else {
                    isAtEnd = true
                }
            }
            return splitter.finish()
        }

        public mutating func next() async throws(NetworkError) -> Character? {
            try await next(isolation: nil)
        }
    }
}
