/// A response as a transport returns it.
///
/// ```swift
/// let response = try await transport.send(HTTPRequest(url: url))
/// print(response.head.status, try await response.body.collect(upTo: 1 << 20).count)
/// ```
///
/// Copying is cheap: copies share their storage until one is changed.
public struct HTTPResponse: Sendable, Nonisolated {
    /// The status and header fields.
    public var head: HTTPResponseHead {
        get { box.value.head }
        _modify { yield &box.value.head }
    }

    /// The body: complete if buffered, arriving if streamed (read it once), or the file it was written to.
    public var body: HTTPBody {
        get { box.value.body }
        _modify { yield &box.value.body }
    }

    /// The fields after the body (RFC 9110 section 6.5). Empty if there are none.
    ///
    /// For a streamed response, they are available after the body has been read to its end. They are never merged with
    /// ``HTTPResponseHead/fields``. URLSession doesn't provide them.
    public var trailers: HTTPFields {
        get {
            let parts = box.value
            if parts.trailers.isEmpty, case .incoming(let body) = parts.body.storage { return body.trailers }
            return parts.trailers
        }
        set { box.value.trailers = newValue }
    }

    /// The measurements of the exchange. For a streamed response, those known when the head arrived;
    /// ``RequestOptions/onEvent`` receives the final ones.
    public var metrics: TransferMetrics {
        get { box.value.metrics }
        _modify { yield &box.value.metrics }
    }

    /// The request as it was sent; after redirects, the last one.
    public var request: HTTPRequest {
        get { box.value.request }
        _modify { yield &box.value.request }
    }

    /// The connection, if the server switched protocols (``RequestOptions/upgrade``) and the transport provides raw
    /// bytes. `nil` otherwise.
    @_spi(Engines)
    public var connection: (any DuplexConnection)? {
        get { if case .bytes(let connection) = box.value.switched { connection } else { nil } }
        set { box.value.switched = newValue.map { .bytes($0) } }
    }

    /// The WebSocket, if ``RequestOptions/upgrade`` requested one and the transport frames messages itself. `nil`
    /// otherwise, and if ``connection`` is set.
    @_spi(Engines)
    public var messages: (any MessageConnection)? {
        get { if case .messages(let connection) = box.value.switched { connection } else { nil } }
        set { box.value.switched = newValue.map { .messages($0) } }
    }

    /// What a cache did, other than to return a fresh response. `nil` for all other responses.
    ///
    /// A cache of yours sets it together with ``TransferMetrics/source``: telemetry and the inspector name it, HSTS learns
    /// from the head that the server sent.
    public var cacheUse: CacheUse? {
        get { box.value.cacheUse }
        _modify { yield &box.value.cacheUse }
    }

    private enum Switched: Sendable {
        case bytes(any DuplexConnection)
        case messages(any MessageConnection)
    }

    /// Boxed to keep the frames of middlewares small.
    private struct Parts: Sendable {
        var head: HTTPResponseHead
        var body: HTTPBody
        var metrics: TransferMetrics
        var request: HTTPRequest
        var trailers: HTTPFields = [:]
        var switched: Switched?
        var cacheUse: CacheUse?
    }

    private var box: Box<Parts>

    /// Creates a response from its parts, with the request that it answers.
    ///
    /// - Parameters:
    ///   - head: The status and header fields.
    ///   - body: The body. Empty by default.
    ///   - metrics: The measurements of the exchange.
    ///   - request: The request as it was sent.
    public init(
        head: HTTPResponseHead, body: HTTPBody = .empty, metrics: TransferMetrics = TransferMetrics(),
        request: HTTPRequest
    ) {
        box = Box(Parts(head: head, body: body, metrics: metrics, request: request))
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the request, with secrets redacted.
    public var description: String { "\(head.status) [\(request)]" }

    /// The status, header fields, metrics and request, with secrets redacted. Without the body.
    public var customMirror: Mirror {
        let head = head.hiding(SentSecrets(request).search)
        return Mirror(self, children: ["head": head, "metrics": metrics, "request": request])
    }
}

/// The status and header fields of a response.
///
/// ```swift
/// let head = try await api.response(for: .article(id: 42)).head
/// print(head.status, head.fields[.etag] ?? "no tag")
/// ```
public struct HTTPResponseHead: Sendable, Hashable, Nonisolated {
    /// The status of the response.
    public var status: HTTPStatus

    /// The header fields. If the transport decoded the body, `Content-Encoding` and `Content-Length` are removed, as
    /// they no longer describe it.
    public var fields: HTTPFields

    /// Creates a response head from a status and header fields.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The header fields, in order.
    public init(status: HTTPStatus, fields: HTTPFields = [:]) {
        self.status = status
        self.fields = fields
    }

    /// The head as a text shows it, without secrets.
    func hiding(_ secrets: SecretSearch) -> HTTPResponseHead {
        guard !secrets.isEmpty else { return self }
        return HTTPResponseHead(
            status: status,
            fields: HTTPFields(fields.map { HTTPField(unchecked: $0.name, value: secrets.redacted($0.value)) }))
    }
}

/// What a cache did, other than to return a fresh response.
public enum CacheUse: Sendable {
    /// It returned a stale response, which another request validates (`stale-while-revalidate`, RFC 5861).
    case untilValidated
    /// It returned a stale response in place of an error response of the server (`stale-if-error`), or `nil` if there
    /// was no response.
    case insteadOf(HTTPResponseHead?)
    /// It had no response, and the request must not go to the network (RFC 9111 section 5.2.1.7).
    case nothingStored
}

extension HTTPResponse {
    /// The head that the server sent, even if a stored response replaces it. `nil` if the server sent nothing.
    var headFromServer: HTTPResponseHead? {
        if metrics.source == .network { return head }
        guard case .insteadOf(let head) = cacheUse else { return nil }
        return head
    }

    /// Where a response came from, for statistics of a cache.
    package enum Provider: String, Sendable {
        case network
        /// The cache, without contacting the server.
        case cache
        /// The cache, because the server failed.
        case staleIfError = "stale_if_error"
    }

    /// `nil` for the 504 of a cache that has no response.
    package var provider: Provider? {
        guard metrics.source == .cache else { return .network }
        return switch cacheUse {
        case .nothingStored: nil
        case .insteadOf: .staleIfError
        case .untilValidated, nil: .cache
        }
    }
}
