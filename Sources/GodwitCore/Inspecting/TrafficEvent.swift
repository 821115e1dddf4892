/// One step of a call, or a change of a query store, as the inspector shows it. One of the optional members is set; ``ended`` can come
/// with the last ``chunk``.
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

    /// The call started.
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
        public var method: String
        public var url: String
        /// Names and values, in order.
        public var fields: [[String]]
        public var body: Body?
        /// The call that was sent again from the page.
        public var replayOf: UInt64?
    }

    /// A response, without secrets.
    public struct Answer: Codable, Sendable {
        public var exchange: UInt64
        public var status: Int
        public var fields: [[String]]
        /// `nil` for a streamed body, whose chunks follow.
        public var body: Body?
        public var metrics: Metrics
    }

    /// The start of a body.
    public struct Body: Codable, Sendable {
        /// The number of bytes; `nil` if unknown.
        public var size: Int64?
        /// The text; `nil` if there is none.
        public var text: String?
        /// The bytes, if they aren't text.
        public var base64: String?
        /// Whether only the start is shown.
        public var isTruncated: Bool?
    }

    /// Bytes of a streamed body. Only `size` is set after the limit.
    public struct Chunk: Codable, Sendable {
        public var exchange: UInt64
        public var size: Int
        public var text: String?
        public var base64: String?
    }

    /// The end of a streamed body.
    public struct End: Codable, Sendable {
        public var exchange: UInt64
        /// The number of decoded bytes.
        public var size: Int64
        public var error: String?
        public var metrics: Metrics?
    }

    /// A WebSocket message.
    public struct SocketMessage: Codable, Sendable {
        public var isSent: Bool
        public var size: Int
        public var text: String?
        public var base64: String?
    }

    /// The outcome of a call.
    public struct Finish: Codable, Sendable {
        public var status: Int
        public var fields: [[String]]
        /// `network`, `cache`, or `shared` for a call that got the response of an identical one. `server` for a request
        /// that a mock server received.
        public var source: String
        public var url: String
        public var redirects: Int
        public var attempts: Int
        /// The requests that were sent over HTTPS because of HSTS. `nil` if there are none.
        public var upgrades: Int?
        /// Set if no request was sent, or if the cache answered.
        public var body: Body?
    }

    /// Why a request or a call failed.
    public struct Failure: Codable, Sendable {
        /// The request that failed. `nil` for the whole call.
        public var exchange: UInt64?
        /// One line for a developer.
        public var error: String
        /// The stable name of the kind, such as `timed_out.connect`.
        public var kind: String
        /// The case name of ``NetworkError/Phase``.
        public var phase: String
        /// The text for people, if there is one.
        public var userMessage: String?
        public var isRetryable: Bool
    }

    /// Times since the transport got the request, in milliseconds, and byte counts.
    public struct Metrics: Codable, Sendable {
        public var dns: Double?
        public var connect: Double?
        public var tls: Double?
        public var requestSent: Double?
        public var firstByte: Double?
        public var total: Double?
        public var bytesSent: Int64
        public var bytesReceived: Int64
        public var reused: Bool
        public var version: String?
        public var address: String?
        public var localPort: Int?
        public var openConnections: Int?
    }

    /// The answer to a request of the page.
    public struct Revealed: Codable, Sendable {
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
