extension AsyncSequence where Self: Sendable, Element == Data, Failure == NetworkError {
    /// The lines as JSON values (NDJSON), one value a line; lines of nothing but blanks are passed over.
    ///
    /// - Parameter limit: The most bytes of one line; a longer one throws `.tooLarge`. 16 MiB by default.
    ///
    /// - Parameters:
    ///   - type: The type of one value.
    ///   - coding: How keys, dates and bytes are spelled.
    ///
    /// ```swift
    /// for try await event in response.body.jsonLines(of: Event.self, coding: JSONCoding()) { … }
    /// ```
    public func jsonLines<Value: Decodable>(
        of type: Value.Type, coding: JSONCoding, limit: Int = JSONLines<Self, Value>.defaultLimit
    ) -> JSONLines<Self, Value> {
        JSONLines(self, coding: coding, limit: limit)
    }
}

/// Chunks read as one JSON value a line, each decoded when it is asked for.
///
/// A line that is not what was promised throws `.decoding`, whose reason names the line.
///
/// ```swift
/// for try await article in api.stream(.export).jsonLines(of: Article.self) { print(article.title) }
/// ```
public struct JSONLines<Chunks: AsyncSequence & Sendable, Value: Decodable>: AsyncSequence, Sendable
where Chunks.Element == Data, Chunks.Failure == NetworkError {
    public typealias Element = Value
    public typealias Failure = NetworkError

    /// The most bytes of one line, unless the caller says otherwise: 16 MiB.
    public static var defaultLimit: Int { 16 << 20 }

    private let chunks: Chunks
    private let coding: JSONCoding
    private let limit: Int

    init(_ chunks: Chunks, coding: JSONCoding, limit: Int) {
        self.chunks = chunks
        self.coding = coding
        self.limit = limit
    }

    /// Starts a reading of the chunks; whether there can be a second one is up to them.
    public func makeAsyncIterator() -> AsyncIterator {
        let splitter = LineSplitter(limit: limit, style: .jsonLines)
        return AsyncIterator(lines: LineReader(chunks.makeAsyncIterator(), splitter), coding: coding)
    }

    /// Reads chunks until there is a line, and decodes it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var lines: LineReader<Chunks.AsyncIterator>
        private let coding: JSONCoding
        private var count = 0

        fileprivate init(lines: LineReader<Chunks.AsyncIterator>, coding: JSONCoding) {
            self.lines = lines
            self.coding = coding
        }

        /// The next value; nil at the end.
        ///
        /// Throws `.decoding` for a line that is no such value, `.tooLarge` for one beyond the limit, and what the
        /// chunks throw.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Value? {
            guard let line = try await lines.next(isolation: actor) else { return nil }
            count += 1
            do throws(NetworkError) {
                return try coding.decode(Value.self, from: line)
            } catch {
                throw error.inValue(count)
            }
        }

        public mutating func next() async throws(NetworkError) -> Value? {
            try await next(isolation: nil)
        }
    }
}
