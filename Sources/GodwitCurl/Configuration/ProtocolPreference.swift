import CGodwitCurl
import GodwitCore

/// Which versions of HTTP are offered to servers.
///
/// HTTP/2 with TLS is agreed on by ALPN (RFC 9113 section 3.2); `TransferMetrics.protocolVersion` says what was spoken.
public enum ProtocolPreference: Sendable, Hashable {
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 where the server agrees during the TLS handshake, else HTTP/1.1.
    case http2WhereSecure
    /// HTTP/2 also without TLS, to servers known to speak it.
    /// The exchange fails where the server does not (RFC 9113 section 3.3).
    case http2PriorKnowledge
    /// HTTP/3 where the system's libcurl was built with it and the server agrees; else as ``http2WhereSecure``.
    case http3WhereAvailable

    /// The versions that are offered, as descriptions name them.
    var names: [HTTPVersion.RawValue] {
        let secure = [HTTPVersion.http2, .http1_1].map(\.rawValue)
        return switch self {
        case .http1: [HTTPVersion.http1_1.rawValue]
        case .http2WhereSecure: secure
        case .http2PriorKnowledge: [HTTPVersion.http2.rawValue]
        case .http3WhereAvailable: godwit_has_http3() != 0 ? [HTTPVersion.http3.rawValue] + secure : secure
        }
    }
}
