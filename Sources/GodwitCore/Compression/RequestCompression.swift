import GodwitDeflate
import Synchronization

/// Compresses the content of requests as ``RequestOptions/compression`` says, and sets `Content-Encoding`.
///
/// ```swift
/// let chain = Chain([Redirects(), RequestCompression()], over: transport)
/// ```
///
/// - A content of at most 1 MiB in memory is compressed at once, and has a `Content-Length`; it is sent as it is where
///   compressing does not make it smaller. Any other is compressed while it is sent, chunk by chunk, and has none:
///   over HTTP/1.1 it goes out in chunks. What can be sent again can be so compressed too.
/// - Left alone is what has a `Content-Encoding`, a `Content-Range` or a digest of the content already, and media types
///   that are compressed in themselves, such as `image/jpeg`.
/// - A server that answers 415 with an `Accept-Encoding` that does not name gzip (RFC 7694) is asked once more, without
///   compression, where the content can be sent again; it is remembered, and gets no compressed content any more.
/// - ``TransferEvent/sent(_:total:)`` counts the content before it was compressed; ``TransferMetrics/bytesSent``, what
///   went out.
///
/// It belongs below whatever sends a call again with its content, such as ``Retry``, ``Redirects`` and
/// ``Challenges``: they keep the content as it was, and each sending is compressed for its own server.
public struct RequestCompression: Middleware {
    private static let coding = "gzip"
    /// The most that is compressed at once, on the caller's thread.
    private static let blockLimit = 1 << 20

    private let refusals = RefusingOrigins()

    /// Makes the middleware.
    public init() {}

    /// Whether the call asks for it, and has content.
    public func handles(_ call: Call) -> Bool {
        guard case .gzip = call.request.options.compression else { return false }
        return call.request.body != nil
    }

    /// Sends the call with its content compressed, and again without where the server does not take that.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard let compressed = compressed(call.request) else { return try await next(call) }
        var outgoing = call
        outgoing.request = compressed
        if let response = try await answer(to: outgoing, of: call, next) { return response }
        return try await next(call)
    }

    /// Nil where the content is to be sent once more as it was. What is left of the response has ended by then.
    private func answer(to outgoing: Call, of call: Call, _ next: Next) async throws(NetworkError) -> HTTPResponse? {
        let response = try await next(outgoing)
        guard response.head.status == .unsupportedMediaType, let accepted = response.head.fields[.acceptEncoding],
            !AcceptedCodings(accepted).allow(Self.coding)
        else { return response }
        refusals.note(call.request.url)
        return call.request.body?.isReplayable == true ? nil : response
    }

    /// The request as it is sent; nil where its content stays as it is.
    private func compressed(_ request: HTTPRequest) -> HTTPRequest? {
        guard case .gzip(let minimumSize, let level) = request.options.compression, let body = request.body,
            Self.mayCompress(request.fields), body.length.map({ $0 >= minimumSize && $0 > 0 }) ?? true,
            !refusals.contain(request.url)
        else { return nil }
        var request = request
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

    /// What would no longer be true of the content.
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

/// The origins that do not take compressed content.
private final class RefusingOrigins: Sendable {
    private static let limit = 256

    private let origins = Mutex<Set<Origin>>([])

    func note(_ url: HTTPURL) {
        origins.withLock { origins in
            // Who refuses is asked anew after so many others.
            if origins.count >= Self.limit { origins = [] }
            origins.insert(url.origin)
        }
    }

    func contain(_ url: HTTPURL) -> Bool {
        origins.withLock { !$0.isEmpty && $0.contains(url.origin) }
    }
}

/// A content as gzip, chunk by chunk while it is read: no more than a chunk of it is in memory.
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

/// How much of a content was read, before it was compressed.
final class ReadProgress: Sendable {
    let count = Atomic<Int64>(0)
}

/// Whether, and how, the body of a request is compressed before it is sent; see ``RequestCompression``.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.compression = .gzip }
/// try await api.send(.report(id: 7).compression(.gzip(minimumSize: 0, level: 9)))
/// ```
public enum ContentCompression: Sendable, Hashable {
    /// Sends it as it is.
    case off

    /// Uses gzip (RFC 1952) if the body has at least `minimumSize` bytes or is of unknown length.
    ///
    /// The level is 1 (fast) to 9 (small); other values count as the nearest.
    case gzip(minimumSize: Int64 = 1024, level: Int = 6)

    /// gzip from 1 KiB on, at level 6.
    public static let gzip = ContentCompression.gzip(minimumSize: 1024, level: 6)
}

extension ContentCompression: RequestOption {
    public static var defaultValue: ContentCompression { .off }
}

extension RequestOptions {
    /// Whether the body is compressed. ``ContentCompression/off`` by default.
    public var compression: ContentCompression {
        get { self[ContentCompression.self] }
        set { self[ContentCompression.self] = newValue }
    }
}
