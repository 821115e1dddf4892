/// The content of a request or a response: bytes, a file, or a stream of chunks.
///
/// ```swift
/// request.body = .bytes(data)
/// request.body = .file(at: video)                          // streamed; never in memory as a whole
/// request.body = .stream(length: nil) { makeChunks() }     // asked for again on a retry or redirect
///
/// for try await chunk in response.body { … }               // back-pressured; leaving the loop ends the transfer
/// let data = try await response.body.collect(upTo: 1 << 20)
/// ```
///
/// A body is an asynchronous sequence of chunks. Bytes, files and streams that are made anew can be read any number of
/// times; a body that arrives from the network can be read once, and a second reading throws `.invalidRequest`.
public struct HTTPBody: Sendable, Nonisolated {
    package let storage: Storage

    /// The four kinds of content.
    package enum Storage: Sendable {
        case bytes(Data)
        case file(FileRegion)
        case stream(ChunkSource)
        case incoming(IncomingBody)
    }

    package init(_ storage: Storage) {
        self.storage = storage
    }

    /// No content.
    public static let empty = HTTPBody(.bytes(Data()))

    /// Content that is in memory.
    ///
    /// Its length is known and it can be sent any number of times.
    ///
    /// - Parameter data: The content.
    public static func bytes(_ data: Data) -> HTTPBody {
        HTTPBody(.bytes(data))
    }

    /// A file's content, read while it is sent. A file that cannot be read throws `.file` when the body is used.
    ///
    /// The file is opened for each sending and read in blocks of 128 KiB or less. It has to be a regular file.
    ///
    /// - Parameter url: The file.
    public static func file(at url: URL) -> HTTPBody {
        HTTPBody(.file(FileRegion(url: url, offset: 0, length: nil)))
    }

    /// A part of a file, in bytes.
    ///
    /// The range counts from 0. A file that ends before the range does throws `.file` when the body is used.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - range: The first byte, and the one behind the last.
    public static func file(at url: URL, range: Range<Int64>) -> HTTPBody {
        HTTPBody(.file(FileRegion(url: url, offset: range.lowerBound, length: range.upperBound - range.lowerBound)))
    }

    /// Chunks that can be asked for again: `make` is called for every time the content is sent.
    ///
    /// - Parameter length: The number of bytes, where it is known. Sending another number throws
    ///   `.transport(.cannotSendBody)`. Without it the content is sent in chunks (RFC 9112 section 7.1).
    ///
    /// ```swift
    /// request.body = .stream(length: size) { AsyncStream<Data> { … } }
    /// ```
    ///
    /// Empty chunks are skipped. What the chunks throw is reported as `.transport(.cannotSendBody)`, unless it is a
    /// ``NetworkError`` or a `CancellationError`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil, _ make: @escaping @Sendable () -> Chunks
    ) -> HTTPBody where Chunks.Element == Data {
        HTTPBody(.stream(ChunkSource(length: length, make: make)))
    }

    /// Chunks that can be read once: a retry or redirect that needs them again fails.
    ///
    /// - Parameters:
    ///   - chunks: The content; a second reading throws `.transport(.cannotSendBody)`.
    ///   - length: The number of bytes, where it is known.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        once chunks: Chunks, length: Int64? = nil
    ) -> HTTPBody where Chunks.Element == Data {
        HTTPBody(.stream(ChunkSource(length: length, once: chunks)))
    }

    /// Whether the content can be sent again, as a retry or a redirect may ask for.
    public var isReplayable: Bool {
        switch storage {
        case .bytes, .file: true
        case .stream(let source): source.isReplayable
        case .incoming: false
        }
    }

    /// The number of bytes; nil where it is not known before they are read.
    ///
    /// For a file this asks the file system; a file that cannot be read has no known length.
    public var length: Int64? {
        switch storage {
        case .bytes(let data): Int64(data.count)
        case .file(let region): try? region.resolvedLength()
        case .stream(let source): source.length
        case .incoming(let body): body.length
        }
    }
}

extension HTTPBody: ExpressibleByStringLiteral {
    /// A text in UTF-8.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) {
        self = .bytes(Data(value.utf8))
    }
}

extension HTTPBody: CustomStringConvertible, CustomReflectable {
    /// How many bytes there are, where that is known; never what they say.
    public var description: String {
        switch storage {
        case .bytes(let data): "\(data.count) bytes"
        case .file: "a file"
        case .stream, .incoming: "a stream"
        }
    }

    /// Nothing: what prints values by reflection sees no content.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPBody {
    /// The first bytes, as far as they can be had: an error on the way ends them early.
    func beginning(upTo limit: Int) async -> Data {
        if case .bytes(let data) = storage { return data.count > limit ? Data(data.prefix(limit)) : data }
        var beginning = Data()
        var chunks = makeAsyncIterator()
        while beginning.count < limit, let chunk = try? await chunks.next(isolation: nil) {
            beginning.append(chunk.prefix(limit - beginning.count))
        }
        return beginning
    }
}
