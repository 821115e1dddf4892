public import Godwit

/// Where a command writes: standard output, or what a test holds instead.
public protocol OutputSink: Sendable {
    /// Whether a person looks at it.
    var isTerminal: Bool { get }

    /// Writes all of the bytes, however long the other side takes.
    func write(_ data: Data) async throws(OutputError)
}

/// Why nothing more can be written.
public enum OutputError: Error, Sendable, Hashable {
    /// The reader went away.
    case closed
    /// The task was cancelled while the reader was slow.
    case cancelled
    case failed(String)
}

/// Where a command reads content from: standard input, or what a test holds instead.
public protocol InputSource: Sendable {
    /// The next bytes, never empty; nil at the end.
    func read() async throws -> Data?
}

/// An input as the chunks of a request's content.
struct InputChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = Data

    let source: any InputSource

    func makeAsyncIterator() -> InputChunks { self }

    func next() async throws -> Data? { try await source.read() }
}
