extension AsyncSequence where Self: Sendable, Element == Data, Failure == NetworkError {
    /// The lines of the body, empty ones included, without line endings (LF, CRLF or CR).
    ///
    /// Invalid UTF-8 is repaired. A line of more than 16 MiB throws `.tooLarge`; see ``lines(limit:)``.
    public var lines: Lines<Self> { lines(limit: 16 << 20) }

    /// The lines of the body, with a limit. A byte order mark at the start is removed.
    ///
    /// ```swift
    /// for try await line in api.stream(.log).lines(limit: 4096) { print(line) }
    /// ```
    ///
    /// - Parameter limit: The maximum length of a line in bytes; a longer one throws `.tooLarge` and ends the transfer.
    public func lines(limit: Int) -> Lines<Self> {
        Lines(self, limit: limit)
    }
}

/// The lines of a sequence of chunks. Characters split between two chunks are decoded correctly.
///
/// ```swift
/// for try await line in api.stream(.log).lines { print(line) }
/// ```
public struct Lines<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Chunks.Element == Data, Chunks.Failure == NetworkError {
    public typealias Element = String
    public typealias Failure = NetworkError

    private let chunks: Chunks
    private let limit: Int

    init(_ chunks: Chunks, limit: Int) {
        self.chunks = chunks
        self.limit = limit
    }

    /// Starts to read the chunks. Whether they can be read again depends on them.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: LineReader(chunks.makeAsyncIterator(), LineSplitter(limit: limit)))
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var lines: LineReader<Chunks.AsyncIterator>

        /// The next line; `nil` at the end. Throws `.tooLarge` if a line is too long, and what the chunks throw.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> String? {
            try await lines.next(isolation: actor).map { String(decoding: $0, as: UTF8.self) }
        }

        public mutating func next() async throws(NetworkError) -> String? {
            try await next(isolation: nil)
        }
    }
}

/// Feeds chunks to a splitter until it has a line.
struct LineReader<Chunks: AsyncIteratorProtocol> where Chunks.Element == Data, Chunks.Failure == NetworkError {
    private var chunks: Chunks
    private var splitter: LineSplitter
    private var isAtEnd = false

    init(_ chunks: Chunks, _ splitter: LineSplitter) {
        self.chunks = chunks
        self.splitter = splitter
    }

    /// The secrets of the call that is read.
    var sent: SentSecrets? { (chunks as? any CallReading)?.sent }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
        while !isAtEnd {
            if let line = try line({ splitter throws(LineTooLong) in try splitter.next() }) { return line }
            if let chunk = try await chunks.next(isolation: actor) {
                splitter.append(chunk)
            } else {
                isAtEnd = true
            }
        }
        return try line { splitter throws(LineTooLong) in try splitter.finish() }
    }

    private mutating func line(
        _ take: (inout LineSplitter) throws(LineTooLong) -> Data?
    ) throws(NetworkError) -> Data? {
        do throws(LineTooLong) {
            return try take(&splitter)
        } catch {
            throw NetworkError(.tooLarge(limit: Int64(error.limit)), phase: .receiving, underlying: error)
        }
    }
}
