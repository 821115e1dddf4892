/// What one exchange cost, measured from the moment the transport took the request.
///
/// The times are points on one line, each including those before it: `dns <= connect <= tls <= requestSent <= firstByte
/// <= total`, in whole nanoseconds. A phase that did not happen, such as TLS on a reused connection, is nil.
///
/// ```swift
/// let metrics = try await api.response(for: .article(id: 42)).metrics
/// print(metrics.firstByte ?? .zero, metrics.bytesReceived, metrics.reusedConnection)
/// ```
public struct TransferMetrics: Sendable, Hashable, Nonisolated {
    /// Until the name was resolved.
    public var dns: Duration? {
        get { dnsTime.duration }
        set { dnsTime.duration = newValue }
    }

    /// Until the TCP or unix-domain connection stood.
    public var connect: Duration? {
        get { connectTime.duration }
        set { connectTime.duration = newValue }
    }

    /// Until the TLS handshake was done.
    public var tls: Duration? {
        get { tlsTime.duration }
        set { tlsTime.duration = newValue }
    }

    /// Until the request was about to be sent on its connection.
    public var requestSent: Duration? {
        get { requestSentTime.duration }
        set { requestSentTime.duration = newValue }
    }

    /// Until the first byte of the response was in.
    public var firstByte: Duration? {
        get { firstByteTime.duration }
        set { firstByteTime.duration = newValue }
    }

    /// Until the last byte was in.
    public var total: Duration? {
        get { totalTime.duration }
        set { totalTime.duration = newValue }
    }

    /// Bytes of request content that were sent.
    public var bytesSent: Int64 = 0

    /// Bytes of response content as received, before content codings were undone.
    public var bytesReceived: Int64 = 0

    /// Whether an open connection served the exchange.
    public var reusedConnection = false

    /// The protocol spoken.
    public var protocolVersion: HTTPVersion?

    /// The peer's address and port, such as `127.0.0.1:443`; nil where there is none, as on a unix-domain socket.
    public var remoteAddress: String?

    /// How many redirects led to the response.
    public var redirectCount = 0

    /// Which attempt brought the response, from 1: the others had failed, or were refused. Told by the response, not by
    /// ``RequestOptions/onEvent``.
    public var attempt = 1

    /// Where the response came from. ``Source/network`` by default; ``Caching`` says otherwise.
    public var source = Source.network

    private var dnsTime = Nanoseconds()
    private var connectTime = Nanoseconds()
    private var tlsTime = Nanoseconds()
    private var requestSentTime = Nanoseconds()
    private var firstByteTime = Nanoseconds()
    private var totalTime = Nanoseconds()

    /// Makes empty metrics.
    public init() {}

    /// Where a response came from.
    ///
    /// ```swift
    /// let response = try await api.response(for: .article(id: 42))
    /// if response.metrics.source == .cache { show(response.head.fields[.age]) }
    /// ```
    public enum Source: Sendable, Hashable {
        /// The server gave it, or confirmed that what is stored still holds.
        case network
        /// The cache gave it without the server: what it had stored, or the 504 that says it had nothing.
        ///
        /// Tells nothing of the server, and asking again changes nothing: ``Retry`` and ``CircuitBreaker`` pass it by.
        case cache
    }
}

extension TransferMetrics: CustomReflectable {
    /// What was measured, under the names of the properties: as it is printed.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "dns": dns as Any, "connect": connect as Any, "tls": tls as Any, "requestSent": requestSent as Any,
                "firstByte": firstByte as Any, "total": total as Any, "bytesSent": bytesSent,
                "bytesReceived": bytesReceived, "reusedConnection": reusedConnection,
                "protocolVersion": protocolVersion as Any, "remoteAddress": remoteAddress as Any,
                "redirectCount": redirectCount, "attempt": attempt, "source": source,
            ],
            displayStyle: .struct)
    }
}

extension TransferMetrics {
    /// Those of a response that the cache gave.
    static var cached: TransferMetrics {
        var metrics = TransferMetrics()
        metrics.source = .cache
        return metrics
    }
}

/// A version of the protocol.
///
/// The raw value is how it is written, such as `HTTP/1.1`.
public enum HTTPVersion: String, Sendable, Hashable {
    case http1_0 = "HTTP/1.0"
    case http1_1 = "HTTP/1.1"
    case http2 = "HTTP/2"
    case http3 = "HTTP/3"
}

/// What happens during an exchange; told to ``RequestOptions/onEvent``.
///
/// ```swift
/// Endpoint<Void>.put("films/1", body: .file(at: film)).onEvent { event in
///     if case .sent(let count, let total?) = event { show(Double(count) / Double(total)) }
/// }
/// ```
public enum TransferEvent: Sendable {
    /// There is no path to the network; the request waits for one.
    case waitingForConnectivity

    /// So many bytes of request content have been sent; `total` is nil where the length is unknown.
    case sent(Int64, total: Int64?)

    /// An interim response came in before the final one, such as 103 with early hints (RFC 9110 section 15.2).
    ///
    /// A transport accepts a hundred of them. URLSession on Apple platforms does not report any.
    case interim(HTTPResponseHead)

    /// So many bytes of response content have been received, content codings undone; `total` is nil where the
    /// length is unknown.
    case received(Int64, total: Int64?)

    /// The exchange is over, and this is what it cost.
    case finished(TransferMetrics)
}

/// A duration, or none, as a number of nanoseconds: a third of the memory, where many are handed from thread to thread.
///
/// What lies beyond 292 years is kept as that.
struct Nanoseconds: Sendable, Hashable {
    private var count = Self.none

    /// No duration.
    private static let none = Int64.min

    var duration: Duration? {
        get { count == Self.none ? nil : .nanoseconds(count) }
        set { count = newValue.map { Int64(clamping: $0.attoseconds / 1_000_000_000) } ?? Self.none }
    }
}
