#if os(Linux)
/// The HTTP versions to offer to servers.
///
/// HTTP/2 over TLS is negotiated by ALPN (RFC 9113 section 3.2); `TransferMetrics.protocolVersion` is the version that was used.
public enum ProtocolPreference: Sendable, Hashable {
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 if the server agrees during the TLS handshake, otherwise HTTP/1.1.
    case http2WhereSecure
    /// HTTP/2 also without TLS. The exchange fails if the server doesn't support it (RFC 9113 section 3.3).
    case http2PriorKnowledge
    /// HTTP/3 where a server announced it (`Alt-Svc`) and QUIC connects; otherwise as ``http2WhereSecure``.
    ///
    /// The first connection races QUIC and TCP, so a network without UDP costs at most 200 ms, and then nothing for five
    /// minutes. Needs libcurl 8.14 or later that was built with HTTP/3; see ``SocketTransport/http3Fault``. WebSockets,
    /// proxies, Unix domain sockets and plain HTTP never use it; `TransferMetrics.http3Fallback` tells why.
    case http3WhereAvailable
    /// HTTP/3 alone, without an announcement: for tests, and for servers known to have it.
    ///
    /// The transport's initializer throws `.unsupported` if libcurl can't do it. Plain `http://` URLs throw `.unsupported`
    /// when they are sent, and WebSockets use HTTP/1.1.
    case http3Only

    /// Whether a request may be sent over HTTP/1.1.
    package var allowsHTTP1: Bool {
        switch self {
        case .http1, .http2WhereSecure, .http3WhereAvailable: true
        case .http2PriorKnowledge, .http3Only: false
        }
    }
}
#endif
