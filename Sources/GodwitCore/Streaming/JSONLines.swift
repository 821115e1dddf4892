extension AsyncSequence where Self: Sendable, Element == Data, Failure == NetworkError {
    /// Decodes each line as a JSON value (NDJSON). Blank lines are skipped.
    ///
    /// ```swift
    /// for try await event in response.body.jsonLines(of: Event.self, coding: JSONCoding()) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of one value.
    ///   - coding: How keys, dates and bytes are encoded.
    ///   - limit: The maximum length of a line in bytes; a longer one throws `.tooLarge`. 16 MiB by default.
    public func jsonLines<Value: Decodable>(
        of type: Value.Type, coding: JSONCoding, limit: Int = JSONLines<Self, Value>.defaultLimit
    ) -> JSONLines<Self, Value> {
        JSONLines(self, coding: coding, limit: limit)
    }
}

/// The JSON values of a sequence of chunks, one per line, decoded on demand.
///
/// A line that can't be decoded throws `.decoding` with the number of the value.
///
/// ```swift
/// for try await article in api.stream(.export).jsonLines(of: Article.self) { print(article.title) }
/// ```
public struct JSONLines<Chunks: AsyncSequence & Sendable, Value: Decodable>: AsyncSequence, Sendable
where Chunks.Element == Data, Chunks.Failure == NetworkError {
    public typealias Element = Value
    public typealias Failure = NetworkError

    /// The default maximum length of a line: 16 MiB.
    public static var defaultLimit: Int { 16 << 20 }

    private let chunks: Chunks
    private let coding: JSONCoding
    private let limit: Int

    init(_ chunks: Chunks, coding: JSONCoding, limit: Int) {
        self.chunks = chunks
        self.coding = coding
        self.limit = limit
    }

    /// Starts to read the chunks. Whether they can be read again depends on them.
    public func makeAsyncIterator() -> AsyncIterator {
        let splitter = LineSplitter(limit: limit, style: .jsonLines)
        return AsyncIterator(lines: LineReader(chunks.makeAsyncIterator(), splitter), coding: coding)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private var lines: LineReader<Chunks.AsyncIterator>
        private let coding: JSONCoding
        private var count = 0

        fileprivate init(lines: LineReader<Chunks.AsyncIterator>, coding: JSONCoding) {
            self.lines = lines
            self.coding = coding
        }

        /// The next value; `nil` at the end.
        ///
        /// - Throws: `.decoding` if a line isn't such a value, `.tooLarge` if it is too long, and what the chunks throw.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Value? {
            guard let line = try await lines.next(isolation: actor) else { return nil }
            count += 1
            do throws(NetworkError) {
                return try coding.decode(Value.self, from: line)
            } catch {
                throw error.inValue(count).hidingSecrets(of: lines.sent)
            }
        }

        public mutating func next() async throws(NetworkError) -> Value? {
            try await next(isolation: nil)
        }
    }
}
