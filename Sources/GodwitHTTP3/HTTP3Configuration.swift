#if os(Linux)
import GodwitCore
public import GodwitSockets

/// Settings of an ``HTTP3Transport``. Copied when the transport is made; later changes have no effect on it.
public struct HTTP3Configuration: Sendable {
    /// When HTTP/3 is used.
    public enum Mode: Sendable, Hashable {
        /// HTTP/3 where a server announced it (`Alt-Svc`) and QUIC connects; otherwise HTTP/2 or HTTP/1.1.
        ///
        /// The first connection races QUIC and TCP, so a network without UDP costs at most 200 ms, and then nothing for five
        /// minutes. WebSockets, proxies, Unix domain sockets and plain HTTP never use it; `TransferMetrics.http3Fallback` tells
        /// why.
        case whereAvailable
        /// HTTP/3 alone, without an announcement: for tests, and for servers known to have it.
        ///
        /// The transport's initializer throws `.unsupported` if libcurl can't do it. Plain `http://` URLs throw `.unsupported`
        /// when they are sent, and WebSockets use HTTP/1.1.
        case only
    }

    /// When HTTP/3 is used. ``Mode/whereAvailable`` by default.
    public var mode = Mode.whereAvailable

    /// Settings of all connections, QUIC's included.
    ///
    /// QUIC uses TLS rules, authorities, overrides of addresses, targets and `Host`, limits of connections, the stream buffer and
    /// the path monitor.
    public var sockets = SocketConfiguration()

    /// What servers announced about HTTP/3, used by ``Mode/whereAvailable``.
    ///
    /// In memory, and of this transport alone, by default. Set one with a file to keep it, or one that several transports share.
    public var alternativeServices = AlternativeServices()

    /// Creates a configuration with default values.
    public init() {}

    /// Why the configuration is invalid, or `nil`.
    var fault: NetworkError.Kind? {
        guard mode == .only else { return nil }
        if sockets.unixSocketPath != nil || sockets.proxy.isURL {
            return .invalidRequest(reason: "HTTP/3 alone goes neither through a proxy nor over a Unix domain socket")
        }
        return CurlLibrary.fault.map { .unsupported(feature: "HTTP/3 (\($0))", on: CurlLibrary.name) }
    }
}
#endif
