import GodwitSupport

/// The body of a request or response: bytes, a file, or a stream of chunks.
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
/// A body is an asynchronous sequence of chunks. Bytes, files and streams with a `make` closure can be read repeatedly.
/// A body from the network can be read once; reading it again throws `.invalidRequest`.
public struct HTTPBody: Sendable, Nonisolated {
    package let storage: Storage

    /// The four kinds of body.
    package enum Storage: Sendable {
        case bytes(Data)
        case file(FileRegion)
        case stream(ChunkSource)
        case incoming(IncomingBody)
    }

    package init(_ storage: Storage) {
        self.storage = storage
    }

    /// An empty body.
    public static let empty = HTTPBody(.bytes(Data()))

    /// A body in memory. It has a known length and can be sent repeatedly.
    ///
    /// - Parameter data: The bytes of the body.
    public static func bytes(_ data: Data) -> HTTPBody {
        HTTPBody(.bytes(data))
    }

    /// A file, read while it is sent. If it can't be read, using the body throws `.file`.
    ///
    /// The file is opened for each sending and read in blocks of up to 128 KiB. Devices, pipes and files without a size, such
    /// as those of `/proc`, have no known length; devices and pipes can be sent once. This is looked up immediately.
    ///
    /// - Parameter url: The file.
    public static func file(at url: URL) -> HTTPBody { anyFile(at: url) }

    /// A range of bytes in a regular file. If the file ends before the range, using the body throws `.file`.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - range: Byte offsets, from 0.
    public static func file(at url: URL, range: Range<Int64>) -> HTTPBody {
        HTTPBody(
            .file(
                FileRegion(
                    url: url, offset: range.lowerBound, length: range.upperBound.saturatingSubtracting(range.lowerBound)
                )))
    }

    /// A stream that can be sent repeatedly: `make` runs for each sending.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if known. Sending a different number throws `.transport(.cannotSendBody)`.
    ///     `nil` (the default) uses chunked transfer coding (RFC 9112 section 7.1).
    ///   - make: Returns the chunks.
    ///
    /// ```swift
    /// request.body = .stream(length: size) { AsyncStream<Data> { … } }
    /// ```
    ///
    /// Empty chunks are skipped. Errors that the chunks throw become `.transport(.cannotSendBody)`, except
    /// ``NetworkError`` and `CancellationError`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil, _ make: @escaping @Sendable () -> Chunks
    ) -> HTTPBody where Chunks.Element == Data {
        HTTPBody(.stream(ChunkSource(length: length, make: make)))
    }

    /// A stream that can be sent once: a retry or redirect that needs it again fails.
    ///
    /// - Parameters:
    ///   - chunks: The chunks. Reading them again throws `.transport(.cannotSendBody)`.
    ///   - length: The number of bytes, if known.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        once chunks: Chunks, length: Int64? = nil
    ) -> HTTPBody where Chunks.Element == Data {
        HTTPBody(.stream(ChunkSource(length: length, once: chunks)))
    }

    /// Whether the body can be sent again, for example for a retry or redirect.
    public var isReplayable: Bool {
        switch storage {
        case .bytes, .file: true
        case .stream(let source): source.isReplayable
        case .incoming: false
        }
    }

    /// The number of bytes. `nil` if unknown before the body is read.
    ///
    /// For a file, this asks the file system; an unreadable file has no known length.
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
    /// Creates a body from text in UTF-8.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) {
        self = .bytes(Data(value.utf8))
    }
}

extension HTTPBody: CustomStringConvertible, CustomReflectable {
    /// The kind and, if known, the number of bytes; never the bytes themselves.
    public var description: String {
        switch storage {
        case .bytes(let data): "\(data.count) bytes"
        case .file: "a file"
        case .stream, .incoming: "a stream"
        }
    }

    /// Empty, so that reflection doesn't print the body.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPBody {
    /// Returns the first bytes. An error ends them early.
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
