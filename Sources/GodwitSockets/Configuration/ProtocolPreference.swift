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
}
#endif
