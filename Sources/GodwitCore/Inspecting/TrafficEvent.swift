/// One step of a call, or a change of a query store, as the inspector shows it. One of the optional members is set;
/// ``ended`` or ``failed`` can come with the last ``chunk``.
///
/// ```swift
/// $0.inspector = .events { event in
///     if let failure = event.failed { print(event.call, failure.error) }
/// }
/// ```
///
/// As JSON, one object per line is what the page's ingest endpoint accepts; see docs/inspector.md.
public struct TrafficEvent: Codable, Sendable {
    /// The call's number in its process; see ``Call/id``.
    public var call: UInt64

    /// When it happened, in milliseconds since 1970.
    public var time: Double

    /// The call started, with this request.
    public var started: Message?
    /// A request of the call was sent to the transport.
    public var sent: Message?
    /// A request got its response.
    public var answered: Answer?
    /// Bytes of a streamed body arrived.
    public var chunk: Chunk?
    /// A streamed body ended.
    public var ended: End?
    /// A WebSocket message was sent or received.
    public var message: SocketMessage?
    /// The call has its response. Its error follows as ``failed`` if the status isn't accepted.
    public var finished: Finish?
    /// A request or the call failed.
    public var failed: Failure?
    /// A redacted value that the page asked for.
    public var revealed: Revealed?
    /// The values of a query store changed. ``call`` is 0.
    public var values: StoredValues?

    package init(call: UInt64, time: Double) {
        self.call = call
        self.time = time
    }

    /// A request, without secrets.
    public struct Message: Codable, Sendable {
        /// The number of the request, unique in the process. `nil` for the call itself.
        public var exchange: UInt64?
        /// The method, such as `GET`.
        public var method: String
        /// The URL, with secrets redacted.
        public var url: String
        /// The names and values of the header fields, in order.
        public var fields: [[String]]
        /// The start of the body; `nil` if it is empty.
        public var body: Body?
        /// The call that was sent again from the page.
        public var replayOf: UInt64?
    }

    /// A response, without secrets.
    public struct Answer: Codable, Sendable {
        /// The number of the request that was answered.
        public var exchange: UInt64
        /// The status code, such as 200.
        public var status: Int
        /// The names and values of the header fields, in order.
        public var fields: [[String]]
        /// The start of the body; `nil` if it is empty, or if it is streamed: then its chunks follow.
        public var body: Body?
        /// The times and byte counts when the response was passed on; those of a whole stream are in
        /// ``TrafficEvent/End/metrics``.
        public var metrics: Metrics
    }

    /// The start of a body.
    public struct Body: Codable, Sendable {
        /// The number of bytes; `nil` if unknown.
        public var size: Int64?
        /// The start as text; `nil` if it isn't text, or isn't in memory.
        public var text: String?
        /// The start in Base64, if it isn't text.
        public var base64: String?
        /// `true` if only the start is shown; otherwise `nil`.
        public var isTruncated: Bool?
    }

    /// Bytes of a streamed body. Only `size` is set after the limit.
    public struct Chunk: Codable, Sendable {
        /// The number of the request whose response is streamed.
        public var exchange: UInt64
        /// The number of decoded bytes; 0 if the chunk only shows bytes that were held back until the end.
        public var size: Int
        /// The bytes as text; `nil` if they aren't UTF-8 or aren't shown.
        public var text: String?
        /// The bytes in Base64, if they aren't UTF-8.
        public var base64: String?
    }

    /// The end of a streamed body.
    public struct End: Codable, Sendable {
        /// The number of the request whose response has ended.
        public var exchange: UInt64
        /// The number of decoded bytes.
        public var size: Int64
        /// Why the body failed, in one line for a developer; `nil` if it is complete or its reader released it.
        public var error: String?
        /// The times and byte counts of the exchange; `nil` if the transport hasn't reported them.
        public var metrics: Metrics?
    }

    /// A WebSocket message.
    public struct SocketMessage: Codable, Sendable {
        /// Whether the message was sent; `false` if it was received.
        public var isSent: Bool
        /// The size of the whole message in bytes.
        public var size: Int
        /// The start of a text message; `nil` for a binary message.
        public var text: String?
        /// The start of a binary message in Base64; `nil` for a text message.
        public var base64: String?
    }

    /// The outcome of a call.
    public struct Finish: Codable, Sendable {
        /// The status code of the response, such as 200.
        public var status: Int
        /// The names and values of the response's header fields, in order.
        public var fields: [[String]]
        /// `network`, `cache`, or `shared` for a call that got the response of an identical one. `server` for a request
        /// that a mock server received.
        public var source: String
        /// The URL of the last request, after redirects, with secrets redacted.
        public var url: String
        /// The number of redirects that led to the response.
        public var redirects: Int
        /// The number of the attempt that led to the response, from 1.
        public var attempts: Int
        /// The number of requests that were sent over HTTPS because of HSTS. `nil` if there are none.
        public var upgrades: Int?
        /// The start of the body, if no request was sent or the cache answered.
        public var body: Body?
    }

    /// Why a request or a call failed.
    public struct Failure: Codable, Sendable {
        /// The number of the request that failed; `nil` for the whole call.
        public var exchange: UInt64?
        /// The failure in one line, for a developer.
        public var error: String
        /// The stable name of the kind, such as `timed_out.connect`.
        public var kind: String
        /// The case name of ``NetworkError/Phase``.
        public var phase: String
        /// The message for people; `nil` if there is none.
        public var userMessage: String?
        /// Whether the same request may succeed later; see ``NetworkError/isRetryable``.
        public var isRetryable: Bool
    }

    /// Times since the transport got the request, in milliseconds, and byte counts.
    public struct Metrics: Codable, Sendable {
        /// Time until the host name was resolved, in milliseconds; `nil` if it wasn't looked up.
        public var dns: Double?
        /// Time until the connection was open, in milliseconds; `nil` if an open one was reused.
        public var connect: Double?
        /// Time until the TLS handshake was complete, in milliseconds; `nil` without a handshake.
        public var tls: Double?
        /// Time until the request was about to be sent, in milliseconds.
        public var requestSent: Double?
        /// Time until the first byte of the response arrived, in milliseconds.
        public var firstByte: Double?
        /// Time until the last byte of the response arrived, in milliseconds.
        public var total: Double?
        /// Bytes of the request body that were sent.
        public var bytesSent: Int64
        /// Bytes of the response body as received, before decoding.
        public var bytesReceived: Int64
        /// Whether the exchange reused an open connection.
        public var reused: Bool
        /// The HTTP version, such as `HTTP/1.1`; `nil` if unknown.
        public var version: String?
        /// The server's address and port, such as `127.0.0.1:443`; `nil` if there is none.
        public var address: String?
        /// The client's own port of the connection; `nil` if there is none.
        public var localPort: Int?
        /// The number of connections to the server after one was opened for this exchange; `nil` if none was.
        public var openConnections: Int?
    }

    /// The answer to a request of the page.
    public struct Revealed: Codable, Sendable {
        /// The number of the request that the values belong to.
        public var exchange: UInt64
        /// What was asked for: `url`, `request:NAME`, `response:NAME`, `requestBody` or `responseBody`.
        public var part: String
        /// The values; empty if they are not kept any more.
        public var values: [String]
    }
}

extension TrafficEvent.Metrics {
    init(_ metrics: TransferMetrics) {
        dns = metrics.dns?.milliseconds
        connect = metrics.connect?.milliseconds
        tls = metrics.tls?.milliseconds
        requestSent = metrics.requestSent?.milliseconds
        firstByte = metrics.firstByte?.milliseconds
        total = metrics.total?.milliseconds
        bytesSent = metrics.bytesSent
        bytesReceived = metrics.bytesReceived
        reused = metrics.reusedConnection
        version = metrics.protocolVersion?.rawValue
        address = metrics.remoteAddress
        localPort = metrics.localPort
        openConnections = metrics.openConnections
    }
}

extension Duration {
    /// Rounded to microseconds.
    fileprivate var milliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
