#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// How one exchange gets its HTTP version (decision 064).
enum VersionRoute: Equatable {
    /// As configured; with ``ProtocolPreference/http3WhereAvailable`` that is HTTP/2 or HTTP/1.1.
    case configured
    /// HTTP/1.1, whatever is configured.
    case http1
    /// Over an HTTP/3 connection that is open. No new one is made.
    case openHTTP3
    /// libcurl connects by QUIC, and soon after by TCP, and uses what connects first.
    ///
    /// - `port`: The UDP port.
    /// - `isProbe`: Whether it uses no kept connection, and finds out if QUIC connects.
    case race(port: Int, isProbe: Bool)

    /// libcurl's value; nil for the configuration's.
    var curlVersion: Int? {
        switch self {
        case .configured: nil
        case .http1: CURL_HTTP_VERSION_1_1
        case .openHTTP3: CURL_HTTP_VERSION_3ONLY
        case .race: CURL_HTTP_VERSION_3
        }
    }

    /// Whether the exchange makes a connection of its own.
    var isProbe: Bool {
        if case .race(_, isProbe: true) = self { true } else { false }
    }
}
#endif
