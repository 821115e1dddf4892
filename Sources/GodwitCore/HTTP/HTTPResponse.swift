/// A response as a transport returns it.
///
/// ```swift
/// let response = try await transport.send(HTTPRequest(url: url))
/// print(response.head.status, try await response.body.collect(upTo: 1 << 20).count)
/// ```
///
/// A copy shares its storage and costs one reference count.
public struct HTTPResponse: Sendable, Nonisolated {
    /// Status and fields.
    public var head: HTTPResponseHead {
        get { box.value.head }
        set { box.change { $0.head = newValue } }
    }

    /// The content. Buffered: complete. Streamed: arriving; read it once. To a file: the file.
    public var body: HTTPBody {
        get { box.value.body }
        set { box.change { $0.body = newValue } }
    }

    /// The fields that came after the body (RFC 9110 section 6.5); empty if there were none.
    ///
    /// For a streamed response they are there once the body has been read to its end. They are never merged with
    /// ``HTTPResponseHead/fields``. URLSession does not hand them out.
    public var trailers: HTTPFields {
        get {
            let parts = box.value
            if parts.trailers.isEmpty, case .incoming(let body) = parts.body.storage { return body.trailers }
            return parts.trailers
        }
        set { box.change { $0.trailers = newValue } }
    }

    /// What the exchange cost. For a streamed response, what was known when the head was in; the whole is told to
    /// ``RequestOptions/onEvent`` at the end.
    public var metrics: TransferMetrics {
        get { box.value.metrics }
        set { box.change { $0.metrics = newValue } }
    }

    /// The request that was answered: after redirects, the last one.
    public var request: HTTPRequest {
        get { box.value.request }
        set { box.change { $0.request = newValue } }
    }

    /// The connection, where the server switched protocols as ``RequestOptions/upgrade`` wished, and the transport hands
    /// out its bytes; else nil.
    public var connection: (any DuplexConnection)? {
        get { if case .bytes(let connection) = box.value.switched { connection } else { nil } }
        set { box.change { $0.switched = newValue.map { .bytes($0) } } }
    }

    /// The WebSocket, where ``RequestOptions/upgrade`` wished for one, and the transport frames its messages itself; else
    /// nil. There is this or ``connection``.
    public var messages: (any MessageConnection)? {
        get { if case .messages(let connection) = box.value.switched { connection } else { nil } }
        set { box.change { $0.switched = newValue.map { .messages($0) } } }
    }

    /// How a stale response came to be the answer; `nil` for every other response.
    var staleUse: StaleUse? {
        get { box.value.staleUse }
        set { box.change { $0.staleUse = newValue } }
    }

    private enum Switched: Sendable {
        case bytes(any DuplexConnection)
        case messages(any MessageConnection)
    }

    /// Behind one reference, as responses return through the frames of every middleware.
    private struct Parts: Sendable {
        var head: HTTPResponseHead
        var body: HTTPBody
        var metrics: TransferMetrics
        var request: HTTPRequest
        var trailers: HTTPFields = [:]
        var switched: Switched?
        var staleUse: StaleUse?
    }

    private var box: Box<Parts>

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - head: Status and fields.
    ///   - body: The content; empty by default.
    ///   - metrics: What is known of times and bytes.
    ///   - request: What was really sent.
    public init(
        head: HTTPResponseHead, body: HTTPBody = .empty, metrics: TransferMetrics = TransferMetrics(),
        request: HTTPRequest
    ) {
        box = Box(Parts(head: head, body: body, metrics: metrics, request: request))
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the request that was answered, without values that may hold secrets.
    public var description: String { "\(head.status) [\(request)]" }

    /// Status, fields, metrics and the request, without values that may hold secrets; no content.
    public var customMirror: Mirror {
        Mirror(self, children: ["head": head, "metrics": metrics, "request": request])
    }
}

/// The status and fields of a response.
///
/// ```swift
/// let head = try await api.response(for: .article(id: 42)).head
/// print(head.status, head.fields[.etag] ?? "no tag")
/// ```
public struct HTTPResponseHead: Sendable, Hashable, Nonisolated {
    /// The status.
    public var status: HTTPStatus

    /// The fields. Where the transport undid a content coding, `Content-Encoding` and `Content-Length` are gone, as
    /// they no longer describe the body.
    public var fields: HTTPFields

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields, in their order.
    public init(status: HTTPStatus, fields: HTTPFields = [:]) {
        self.status = status
        self.fields = fields
    }
}

/// How a stale response came to be the answer (RFC 5861).
enum StaleUse: Sendable {
    /// It is to be validated by another request (`stale-while-revalidate`).
    case untilValidated
    /// It stands in for a server that failed (`stale-if-error`): for this answer, or `nil` if there was none.
    case insteadOf(HTTPResponseHead?)
}

extension HTTPResponse {
    /// The head that the server sent, also if a stored response stands in for it; `nil` if nothing was sent.
    var headFromServer: HTTPResponseHead? {
        if metrics.source == .network { return head }
        guard case .insteadOf(let head) = staleUse else { return nil }
        return head
    }
}
