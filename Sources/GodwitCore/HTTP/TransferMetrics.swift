/// The times and byte counts of one exchange, measured from when the transport received the request.
///
/// Each time includes those before it: `dns <= connect <= tls <= requestSent <= firstByte <= total`, in whole
/// nanoseconds. A phase that didn't happen, such as TLS on a reused connection, is `nil`.
///
/// ```swift
/// let metrics = try await api.response(for: .article(id: 42)).metrics
/// print(metrics.firstByte ?? .zero, metrics.bytesReceived, metrics.reusedConnection)
/// ```
public struct TransferMetrics: Sendable, Hashable, Nonisolated {
    /// Time until the host name was resolved.
    public var dns: Duration? {
        get { dnsTime.duration }
        set { dnsTime.duration = newValue }
    }

    /// Time until the TCP or Unix-domain connection was open.
    public var connect: Duration? {
        get { connectTime.duration }
        set { connectTime.duration = newValue }
    }

    /// Time until the TLS handshake was complete.
    public var tls: Duration? {
        get { tlsTime.duration }
        set { tlsTime.duration = newValue }
    }

    /// Time until the request was about to be sent.
    public var requestSent: Duration? {
        get { requestSentTime.duration }
        set { requestSentTime.duration = newValue }
    }

    /// Time until the first byte of the response arrived.
    public var firstByte: Duration? {
        get { firstByteTime.duration }
        set { firstByteTime.duration = newValue }
    }

    /// Time until the last byte of the response arrived.
    public var total: Duration? {
        get { totalTime.duration }
        set { totalTime.duration = newValue }
    }

    /// Bytes of the request body that were sent.
    public var bytesSent: Int64 = 0

    /// Bytes of the response body as received, before decoding.
    public var bytesReceived: Int64 = 0

    /// Whether the exchange reused an open connection.
    public var reusedConnection = false

    /// The HTTP version used; `nil` if unknown.
    public var protocolVersion: HTTPVersion?

    /// Why HTTP/3 wasn't used although the transport may use it, in words. `nil` if it was used, or isn't configured.
    ///
    /// With `HTTP3Transport`, for example because a proxy is used, the server has not announced HTTP/3, or QUIC did not connect.
    public var http3Fallback: String?

    /// The server's address and port, such as `127.0.0.1:443`. `nil` if there is none, as on a Unix-domain socket.
    public var remoteAddress: String?

    /// The client's own port of the connection. Exchanges with one server that have the same port shared a connection. `nil`
    /// if there is none, as on a Unix-domain socket.
    public var localPort: Int? {
        get { ownPort > 0 ? Int(ownPort) : nil }
        set { ownPort = UInt16(clamping: newValue ?? 0) }
    }

    /// How many connections the transport had with the server once it had opened one for this exchange, open or being opened.
    /// `nil` if the exchange used an open one.
    ///
    /// Over HTTP/2, more than 1 means that the streams of the others were used up. URLSession doesn't report it.
    public var openConnections: Int? {
        get { openCount > 0 ? Int(openCount) : nil }
        set { openCount = UInt16(clamping: newValue ?? 0) }
    }

    /// How many times the transport itself sent the request again, because the server hadn't processed it or a kept
    /// connection broke. 0 if it was sent once.
    ///
    /// ``Retry`` counts each as an attempt. URLSession doesn't report it.
    public var resendCount: Int {
        get { Int(resends) }
        set { resends = UInt16(clamping: newValue) }
    }

    /// The number of redirects that led to the response.
    public var redirectCount = 0

    /// The number of requests that led to the response and were sent over HTTPS instead of `http`, because their host demands
    /// it (``HSTS``).
    public var upgradeCount = 0

    /// The number of the attempt that led to the response, from 1. Set in the response, but not in
    /// ``RequestOptions/onEvent``.
    public var attempt = 1

    /// Where the response came from. ``Source/network`` by default; ``Caching`` sets it.
    public var source = Source.network

    /// What the client's own cache did. `nil` without a cache.
    ///
    /// Caches on the way describe themselves in the response: see `HTTPFields.cacheStatus`.
    public var cacheStatus: CacheStatus? {
        get { if case .status(let status) = cacheUse { status } else { nil } }
        set { cacheUse = newValue.map { .status($0) } }
    }

    /// In memory of its own, as most metrics have none.
    private indirect enum CacheUse: Sendable, Hashable {
        case status(CacheStatus)
    }

    // 0 means unknown.
    private var ownPort: UInt16 = 0
    private var openCount: UInt16 = 0
    private var resends: UInt16 = 0
    private var cacheUse: CacheUse?
    private var dnsTime = Nanoseconds()
    private var connectTime = Nanoseconds()
    private var tlsTime = Nanoseconds()
    private var requestSentTime = Nanoseconds()
    private var firstByteTime = Nanoseconds()
    private var totalTime = Nanoseconds()

    /// Creates empty metrics.
    public init() {}

    /// Where a response came from.
    ///
    /// ```swift
    /// let response = try await api.response(for: .article(id: 42))
    /// if response.metrics.source == .cache { show(response.head.fields[.age]) }
    /// ```
    public enum Source: Sendable, Hashable {
        /// The server sent it, or confirmed that the stored response is still valid.
        case network
        /// The cache provided it without contacting the server: a stored response, or a 504 if there was none.
        ///
        /// ``Retry`` and ``CircuitBreaker`` ignore it, as it says nothing about the server.
        case cache
    }
}

extension TransferMetrics: CustomReflectable {
    /// The measurements, under the names of the properties.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "dns": dns as Any, "connect": connect as Any, "tls": tls as Any, "requestSent": requestSent as Any,
                "firstByte": firstByte as Any, "total": total as Any, "bytesSent": bytesSent,
                "bytesReceived": bytesReceived, "reusedConnection": reusedConnection,
                "protocolVersion": protocolVersion as Any, "http3Fallback": http3Fallback as Any,
                "remoteAddress": remoteAddress as Any, "localPort": localPort as Any,
                "openConnections": openConnections as Any, "resendCount": resendCount,
                "redirectCount": redirectCount, "upgradeCount": upgradeCount, "attempt": attempt, "source": source,
                "cacheStatus": cacheStatus as Any,
            ],
            displayStyle: .struct)
    }
}

extension TransferMetrics {
    /// The metrics of a response from the cache.
    static var cached: TransferMetrics {
        var metrics = TransferMetrics()
        metrics.source = .cache
        return metrics
    }
}

/// An HTTP version. The raw value is its name, such as `HTTP/1.1`.
public enum HTTPVersion: String, Sendable, Hashable {
    /// HTTP/1.0 (RFC 1945).
    case http1_0 = "HTTP/1.0"
    /// HTTP/1.1 (RFC 9112).
    case http1_1 = "HTTP/1.1"
    /// HTTP/2 (RFC 9113).
    case http2 = "HTTP/2"
    /// HTTP/3 over QUIC (RFC 9114).
    case http3 = "HTTP/3"
}

/// An event during an exchange, passed to ``RequestOptions/onEvent``.
///
/// ```swift
/// Endpoint<Void>.put("films/1", body: .file(at: film)).onEvent { event in
///     if case .sent(let count, let total?) = event { show(Double(count) / Double(total)) }
/// }
/// ```
public enum TransferEvent: Sendable {
    /// The request waits for a network path.
    case waitingForConnectivity

    /// The number of body bytes sent so far. `total` is `nil` if the length is unknown.
    case sent(Int64, total: Int64?)

    /// An interim response arrived before the final one, such as 103 with early hints (RFC 9110 section 15.2).
    ///
    /// A transport accepts up to 100 of them. URLSession doesn't report any.
    case interim(HTTPResponseHead)

    /// The number of body bytes received so far, after decoding. `total` is `nil` if the length is unknown.
    case received(Int64, total: Int64?)

    /// The exchange ended, with its measurements.
    case finished(TransferMetrics)
}

/// An optional duration in nanoseconds. Uses a third of the memory, as many are passed between threads.
///
/// Durations beyond 292 years are clamped.
struct Nanoseconds: Sendable, Hashable {
    private var count = Self.none

    /// No duration.
    private static let none = Int64.min

    var duration: Duration? {
        get { count == Self.none ? nil : .nanoseconds(count) }
        set { count = newValue.map { Int64(clamping: $0.attoseconds / 1_000_000_000) } ?? Self.none }
    }
}
