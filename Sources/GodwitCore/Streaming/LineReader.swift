/// Feeds chunks to a splitter until it has a line.
struct LineReader<Chunks: AsyncIteratorProtocol> where Chunks.Element == Data, Chunks.Failure == NetworkError {
    private var chunks: Chunks
    private var splitter: LineSplitter
    private var isAtEnd = false

    init(_ chunks: Chunks, _ splitter: LineSplitter) {
        self.chunks = chunks
        self.splitter = splitter
    }

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
