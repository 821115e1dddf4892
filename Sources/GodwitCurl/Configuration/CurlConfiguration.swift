import CGodwitCurl
public import GodwitCore

/// How a ``CurlTransport`` reaches servers. Copied when the transport is made; later changes have no effect on it.
///
/// Set in the closure that ``CurlTransport`` is made with:
///
/// ```swift
/// let transport = try CurlTransport {
///     $0.proxy = .url("http://proxy.example.com:3128", except: ["localhost", "example.com"])
///     $0.maximumConnectionsPerHost = 8
/// }
/// ```
public struct CurlConfiguration: Sendable {
    /// The way to servers: by default what the environment says (`https_proxy`, `no_proxy` and their like).
    public var proxy = Proxy.environment

    /// The path of a unix-domain socket that every connection goes to instead of the URL's host.
    ///
    /// Nil, the default, connects by TCP. The URL still names the host that `Host` and TLS speak of.
    public var unixSocketPath: String?

    /// Addresses for host names, asked before DNS: `["api.example.com:443": ["127.0.0.1"]]`.
    ///
    /// Keys are a host and a port; values are numeric addresses. Empty by default. Other forms make
    /// the transport's initializer throw `.invalidRequest`.
    public var addressOverrides: [String: [String]] = [:]

    /// Certificates of authorities, in one PEM file, that are trusted beside the system's.
    ///
    /// Nil, the default, trusts the system's alone.
    public var additionalAuthorities: URL?

    /// What holds for TLS with some hosts alone: authorities, pinned keys, client certificates.
    ///
    /// Empty by default. Files are read when the transport is made. Rules that cannot be make its initializer throw
    /// `.invalidRequest`, files that cannot be read `.insecure(.configuration)`.
    public var tls = TLSConfiguration()

    /// The protocols to offer.
    ///
    /// HTTP/2 where TLS agrees on it by default; see ``ProtocolPreference``.
    public var protocols = ProtocolPreference.http2WhereSecure

    /// How long connections are kept, how many, and how a dead one is noticed. Values that make no sense make the
    /// transport's initializer throw `.invalidRequest`.
    public var connections = ConnectionPolicy()

    /// Knows the network path: when it changes (``ConnectionPolicy/closesOnPathChange``), and whether there is one if a host
    /// cannot be reached, which then throws `.offline`. Evaluated once a connection is kept or fails; the system's by default.
    public var pathMonitor: @Sendable () -> any PathMonitor = { SystemPathMonitor.shared }

    /// The most connections at once; further requests wait. Nil, the default, for no limit.
    public var maximumConnections: Int?

    /// The most requests at once on one HTTP/2 connection. 100 by default.
    public var maximumStreamsPerConnection = 100

    /// The most connections kept open while they are idle. 256 by default.
    public var maximumIdleConnections = 256

    /// The number of threads that serve exchanges. One, the default, serves tens of thousands of requests a second;
    /// each has connections of its own.
    ///
    /// Less than 1 makes the transport's initializer throw `.invalidRequest`.
    public var eventLoops = 1

    /// The bytes of a streamed response that may wait for their reader before the server is slowed. 512 KiB by default.
    public var streamBuffer = 512 << 10

    /// What libcurl offers at run time. Tests say less.
    package var features = CurlLibrary.features

    /// How often the files of trusted certificates are looked at for changes, while there are exchanges.
    package var trustCheckInterval: Duration = .seconds(10)

    /// Whether ``CurlTransport/longestTurn`` is measured, which takes two system calls a turn.
    package var measuresTurns = false

    /// Makes the defaults.
    public init() {}

    /// Why no transport can be made of this, or nil.
    var fault: String? {
        if eventLoops < 1 { return "a transport needs at least one event loop" }
        return connections.fault ?? AddressList.fault(in: addressOverrides)
    }

    /// Why this libcurl cannot be used, or cannot keep a setting, which it would leave out silently; nil where it can.
    var libcurlFault: NetworkError.Kind? {
        if let fault = features.fault { return fault }
        var needed: [String] = []
        if case .url = proxy { needed += ["CURLOPT_PROXY", "CURLOPT_NOPROXY"] }
        if unixSocketPath != nil { needed.append("CURLOPT_UNIX_SOCKET_PATH") }
        if additionalAuthorities != nil { needed.append("CURLOPT_CAINFO") }
        if !tls.clientCertificates.isEmpty { needed += ["CURLOPT_SSLCERT_BLOB", "CURLOPT_SSLKEY_BLOB"] }
        if !tls.pins.isEmpty { needed.append("CURLOPT_SSL_CTX_FUNCTION") }
        if !tls.authorities.isEmpty, !features.hostAuthorities {
            return .unsupported(feature: "authorities of single hosts (7.84 or later is needed)", on: features.library)
        }
        return needed.lazy.compactMap { features.fault(without: $0) }.first
    }

    /// What libcurl is told; 0 for no limit. Many servers take a hundred connections of one client or more, and a process may
    /// have 1,024 descriptors: 64 leaves room for both.
    var connectionsPerHost: Int {
        let count = connections.maximumPerHost ?? 64
        return count > 1 << 20 ? 0 : count
    }

    /// Handles kept for later exchanges; each costs some kilobytes.
    var maximumIdleHandles: Int { 256 }
}

extension CurlConfiguration {
    /// Maximum connections to one host at once; the same as ``ConnectionPolicy/maximumPerHost``.
    public var maximumConnectionsPerHost: Int? {
        get { connections.maximumPerHost }
        set { connections.maximumPerHost = newValue }
    }
}

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

/// The way to servers.
///
/// ```swift
/// let transport = try CurlTransport { $0.proxy = .url("socks5h://127.0.0.1:1080") }
/// let other = try CurlTransport {
///     $0.proxy = .url("http://proxy.example.com:3128", except: ["localhost", "10.0.0.1"])
/// }
/// ```
public enum Proxy: Sendable, Hashable {
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    ///
    /// Read as libcurl does: also `HTTPS_PROXY` and `ALL_PROXY` in capitals, never `HTTP_PROXY`, which a client of a
    /// CGI server could set.
    case environment

    /// Straight to the server.
    case none

    /// Through a proxy: `http://`, `https://`, `socks5://` or `socks5h://` (which resolves names itself), with a port.
    ///
    /// Hosts in `except` are reached straight: names, which hold for names under them too, addresses, or `*`.
    case url(String, except: [String] = [])
}

extension Proxy: CustomStringConvertible, CustomReflectable {
    /// The way, without the name and password of a proxy's URL.
    public var description: String {
        switch self {
        case .environment: "as the environment says"
        case .none: "none"
        case .url(let url, let exceptions): Self.shown(url) + (exceptions.isEmpty ? "" : " except \(exceptions)")
        }
    }

    /// The same: what prints values by reflection sees no password.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }

    private static func shown(_ url: String) -> String {
        guard let at = url.lastIndex(of: "@") else { return url }
        let scheme = url.firstRange(of: "://").map { url[..<$0.upperBound] } ?? ""
        return "\(scheme)<redacted>\(url[at...])"
    }
}
