import GodwitSupport
import Synchronization

/// Compresses request bodies according to ``RequestOptions/compression`` and sets `Content-Encoding`.
///
/// ```swift
/// let chain = Chain([Redirects(), RequestCompression()], over: transport)
/// ```
///
/// - A body of up to 1 MiB in memory is compressed in one step and has a `Content-Length`; if compression doesn't make
///   it smaller, it is sent uncompressed. Other bodies are compressed while they are sent and have no `Content-Length`:
///   HTTP/1.1 uses chunked transfer coding. A replayable body stays replayable.
/// - Bodies with a `Content-Encoding`, a `Content-Range` or a digest, and compressed media types such as `image/jpeg`,
///   are never compressed.
/// - If the server answers 415 with an `Accept-Encoding` without gzip (RFC 7694), its origin gets no more compressed
///   bodies. A replayable body is sent again, uncompressed.
/// - ``TransferEvent/sent(_:total:)`` counts bytes before compression; ``TransferMetrics/bytesSent`` counts the bytes
///   sent.
///
/// Place it inside middlewares that resend bodies, such as ``Retry``, ``Redirects`` and ``Challenges``: they keep the
/// original, which is compressed for the server of each sending.
public struct RequestCompression: Middleware {
    private static let coding = "gzip"
    /// Maximum bytes compressed in one step, on the caller's thread.
    private static let blockLimit = 1 << 20

    private let refusals = RefusingOrigins()

    /// Creates a middleware that compresses bodies as ``RequestOptions/compression`` says.
    public init() {}

    /// Whether the call asks for compression and has a body.
    public func handles(_ call: Call) -> Bool {
        guard case .gzip = call.request.options.compression else { return false }
        return call.request.body != nil
    }

    /// Sends the call with a compressed body, and again without compression if the server rejects it.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard let compressed = compressed(call.request) else { return try await next(call) }
        var outgoing = call
        outgoing.request = compressed
        if let response = try await answer(to: outgoing, of: call, next) { return response }
        return try await next(call)
    }

    /// Returns `nil` to resend the original body; the response has ended by then.
    private func answer(to outgoing: Call, of call: Call, _ next: Next) async throws(NetworkError) -> HTTPResponse? {
        let response = try await next(outgoing)
        guard response.head.status == .unsupportedMediaType, let accepted = response.head.fields[.acceptEncoding],
            !AcceptedCodings(accepted).allow(Self.coding)
        else { return response }
        refusals.note(call.request.url)
        return call.request.body?.isReplayable == true ? nil : response
    }

    /// Returns the request to send; `nil` if its body stays uncompressed, as one whose trailer fields may be made of its bytes.
    private func compressed(_ request: HTTPRequest) -> HTTPRequest? {
        guard case .gzip(let minimumSize, let level) = request.options.compression, let body = request.body,
            Self.mayCompress(request.fields), body.trailerNames == nil,
            body.length.map({ $0 >= minimumSize && $0 > 0 }) ?? true,
            !refusals.contain(request.url)
        else { return nil }
        let original = request
        var request = request
        // A server repeats what it decoded.
        request.note(former: original)
        let handler = request.options.onEvent
        if case .bytes(let data) = body.storage, data.count <= Self.blockLimit {
            guard let block = Self.block(data, level) else { return nil }
            request.body = .bytes(block)
            request.options.onEvent = handler.map { Self.telling($0, Int64(block.count), as: Int64(data.count)) }
        } else {
            let progress = ReadProgress()
            request.body = Self.stream(CompressedChunks(content: body, level: level, progress: progress), of: body)
            request.options.onEvent = handler.map { Self.telling($0, progress, of: body.length) }
        }
        request.fields[.contentEncoding] = Self.coding
        return request
    }

    private static func mayCompress(_ fields: HTTPFields) -> Bool {
        guard !describing.contains(where: fields.contains) else { return false }
        return fields[.contentType].flatMap { MediaType($0) }?.isCompressed != true
    }

    /// Fields that would no longer describe the body.
    private static let describing: [HTTPField.Name] = [
        .contentEncoding, .contentRange, "Content-MD5", "Content-Digest", "Digest", "Repr-Digest",
    ]

    private static func block(_ data: Data, _ level: Int) -> Data? {
        guard let encoder = GzipEncoder(level: level) else { return nil }
        let block = encoder.add(data) + encoder.finish()
        return block.count < data.count ? block : nil
    }

    private static func stream(_ chunks: CompressedChunks, of body: HTTPBody) -> HTTPBody {
        body.isReplayable ? .stream { chunks } : .stream(once: chunks)
    }

    // MARK: - Progress

    private typealias EventHandler = @Sendable (TransferEvent) -> Void

    private static func telling(_ handler: @escaping EventHandler, _ sent: Int64, as length: Int64) -> EventHandler {
        { event in
            guard case .sent(let count, total: _) = event else { return handler(event) }
            handler(.sent(count * length / max(1, sent), total: length))
        }
    }

    private static func telling(
        _ handler: @escaping EventHandler, _ progress: ReadProgress, of length: Int64?
    ) -> EventHandler {
        { event in
            guard case .sent = event else { return handler(event) }
            handler(.sent(progress.count.load(ordering: .relaxed), total: length))
        }
    }
}

/// The origins that reject compressed bodies.
private final class RefusingOrigins: Sendable {
    private static let limit = 256

    private let origins = Mutex<Set<Origin>>([])

    func note(_ url: HTTPURL) {
        origins.withLock { origins in
            // Bounds memory. Forgotten origins are tried with compression again.
            if origins.count >= Self.limit { origins = [] }
            origins.insert(url.origin)
        }
    }

    func contain(_ url: HTTPURL) -> Bool {
        origins.withLock { !$0.isEmpty && $0.contains(url.origin) }
    }
}

/// A body as gzip, compressed chunk by chunk while it is read. At most one chunk is in memory.
struct CompressedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = NetworkError

    let content: HTTPBody
    let level: Int
    let progress: ReadProgress

    func makeAsyncIterator() -> Iterator {
        progress.count.store(0, ordering: .relaxed)
        return Iterator(plain: content.makeAsyncIterator(), encoder: GzipEncoder(level: level), progress: progress)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var plain: HTTPBody.AsyncIterator
        fileprivate let encoder: GzipEncoder?
        fileprivate let progress: ReadProgress
        private var isAtEnd = false

        fileprivate init(plain: HTTPBody.AsyncIterator, encoder: GzipEncoder?, progress: ReadProgress) {
            self.plain = plain
            self.encoder = encoder
            self.progress = progress
        }

        mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: nil)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            guard let encoder else {
                throw NetworkError(.transport(.cannotSendBody("zlib could not start")), phase: .sending)
            }
            while !isAtEnd {
                guard let chunk = try await plain.next(isolation: actor) else {
                    isAtEnd = true
                    return encoder.finish()
                }
                progress.count.add(Int64(chunk.count), ordering: .relaxed)
                let compressed = encoder.add(chunk)
                if !compressed.isEmpty { return compressed }
            }
            return nil
        }
    }
}

/// The number of body bytes read so far, before compression.
final class ReadProgress: Sendable {
    let count = Atomic<Int64>(0)
}

/// How a request body is compressed before it is sent; see ``RequestCompression``.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.compression = .gzip }
/// try await api.send(.report(id: 7).compression(.gzip(minimumSize: 0, level: 9)))
/// ```
public enum ContentCompression: Sendable, Hashable {
    /// Sends the body uncompressed.
    case off

    /// Uses gzip (RFC 1952) if the body has at least `minimumSize` bytes or an unknown length.
    ///
    /// `level` ranges from 1 (fastest) to 9 (smallest); other values are clamped.
    case gzip(minimumSize: Int64 = 1024, level: Int = 6)

    /// Uses gzip at level 6 for bodies of at least 1 KiB.
    public static let gzip = ContentCompression.gzip(minimumSize: 1024, level: 6)
}

extension ContentCompression: RequestOption {
    public static var defaultValue: ContentCompression { .off }
}

extension RequestOptions {
    /// Whether the body is compressed. ``ContentCompression/off`` by default.
    public var compression: ContentCompression {
        @inline(__always) get { self[ContentCompression.self] }
        set { self[ContentCompression.self] = newValue }
    }
}
