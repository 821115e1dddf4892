#if os(Linux)
import CGodwitCurl
public import GodwitCore
public import GodwitSockets

/// Settings of a ``CurlTransport``. Copied when the transport is made; later changes have no effect on it.
///
/// Change them in the closure of ``CurlTransport``'s initializer:
///
/// ```swift
/// let transport = try CurlTransport {
///     $0.proxy = .url("http://proxy.example.com:3128", except: ["localhost", "example.com"])
///     $0.maximumConnectionsPerHost = 8
/// }
/// ```
public struct CurlConfiguration: Sendable {
    /// The proxy. By default the environment's (`https_proxy`, `no_proxy` and so on).
    public var proxy = Proxy.environment

    /// The path of a Unix domain socket that every connection goes to instead of the URL's host.
    ///
    /// `nil`, the default, connects by TCP. `Host` and TLS still use the URL's host.
    public var unixSocketPath: String?

    /// Addresses for host names, used instead of DNS: `["api.example.com:443": ["127.0.0.1"]]`.
    ///
    /// Keys are a host and a port; values are numeric addresses. Empty by default. The transport's initializer throws
    /// `.invalidRequest` for other forms.
    public var addressOverrides: [String: [String]] = [:]

    /// Where to connect instead of a URL's host and port: `["example.com:443": "127.0.0.1:8443"]`, as curl's `--connect-to`.
    ///
    /// Keys and values are a host and a port. `Host` and TLS still use the URL's host. Empty by default. The transport's
    /// initializer throws `.invalidRequest` for other forms.
    public var connectionTargets: [String: String] = [:]

    /// Values of `Host` that differ from the URL's host, for a virtual host: `["127.0.0.1:8080": "shop.example"]`.
    ///
    /// Keys are the host and port of a URL. TLS still verifies the URL's host. WebSocket upgrades ignore it. Empty by default.
    /// The transport's initializer throws `.invalidRequest` for a value that isn't a host with or without a port.
    public var hostFields: [String: String] = [:]

    /// A PEM file with certificates of authorities to trust in addition to the system's.
    ///
    /// `nil`, the default, trusts only the system's.
    public var additionalAuthorities: URL?

    /// TLS rules for single hosts: authorities, pinned keys, client certificates.
    ///
    /// Empty by default. Files are read when the transport is made. Its initializer throws `.invalidRequest` for invalid rules,
    /// and `.insecure(.configuration)` if a file can't be read.
    public var tls = TLSConfiguration()

    /// The protocols to offer. By default HTTP/2 if TLS agrees on it; see ``ProtocolPreference``.
    public var protocols = ProtocolPreference.http2WhereSecure

    /// What servers announced about HTTP/3, used by ``ProtocolPreference/http3WhereAvailable``.
    ///
    /// In memory, and of this transport alone, by default. Set one with a file to keep it, or one that several transports share.
    public var alternativeServices = AlternativeServices()

    /// How long connections are kept, how many, and how a dead one is noticed. The transport's initializer throws
    /// `.invalidRequest` for invalid values.
    public var connections = ConnectionPolicy()

    /// Monitors the network path: when it changes (``ConnectionPolicy/closesOnPathChange``), and whether there is one if a host
    /// can't be reached, which otherwise throws `.offline`. Evaluated once a connection is kept or fails; the system's by default.
    public var pathMonitor: @Sendable () -> any PathMonitor = { SystemPathMonitor.shared }

    /// Maximum open connections; further requests wait. `nil`, the default, means no limit.
    public var maximumConnections: Int?

    /// Maximum concurrent requests on one HTTP/2 connection. 100 by default.
    public var maximumStreamsPerConnection = 100

    /// Maximum idle connections to keep. 256 by default.
    public var maximumIdleConnections = 256

    /// The number of threads that serve exchanges, each with its own connections. One, the default, serves tens of thousands of
    /// requests a second.
    ///
    /// The transport's initializer throws `.invalidRequest` for a number outside of 1 to 256.
    public var eventLoops = 1

    /// Bytes of a streamed response that may wait for their reader before the server is slowed. 512 KiB by default.
    public var streamBuffer = 512 << 10

    /// What libcurl offers at run time. Tests remove features.
    package var features = CurlLibrary.features

    /// How often the files of trusted certificates are checked for changes, while there are exchanges.
    package var trustCheckInterval: Duration = .seconds(10)

    /// How long a caller that is alone waits for an answer itself, in nanoseconds, less than a second (decision 111).
    package var answerWait: Int64 = 200_000

    /// Whether ``CurlTransport/longestTurn`` is measured, which takes two system calls a turn.
    package var measuresTurns = false

    /// Makes the defaults.
    public init() {}

    /// Each event loop is a thread: more than this is a mistake that would take the system's last one.
    static let eventLoopLimit = 256

    /// How many idle connections all event loops keep, as far as warming up goes: more is a mistake.
    var connectionsKept: Int {
        min(max(1, maximumIdleConnections), 4096 / max(1, eventLoops)) * max(1, eventLoops)
    }

    /// Why the configuration is invalid, or nil.
    var fault: String? {
        if eventLoops < 1 { return "a transport needs at least one event loop" }
        if eventLoops > Self.eventLoopLimit { return "a transport has at most \(Self.eventLoopLimit) event loops" }
        if protocols == .http3Only, unixSocketPath != nil || proxy.isURL {
            return "HTTP/3 alone goes neither through a proxy nor over a Unix domain socket"
        }
        return connections.fault ?? AddressList.fault(in: addressOverrides) ?? TargetList.fault(in: connectionTargets)
            ?? TargetList.fault(inHosts: hostFields)
    }

    /// Why this libcurl can't be used, or would silently ignore a setting; nil if it can.
    var libcurlFault: NetworkError.Kind? {
        if let fault = features.fault { return fault }
        var needed: [String] = []
        if case .url = proxy { needed += ["CURLOPT_PROXY", "CURLOPT_NOPROXY"] }
        if unixSocketPath != nil { needed.append("CURLOPT_UNIX_SOCKET_PATH") }
        if !connectionTargets.isEmpty { needed.append("CURLOPT_CONNECT_TO") }
        if additionalAuthorities != nil { needed.append("CURLOPT_CAINFO") }
        if !tls.clientCertificates.isEmpty { needed += ["CURLOPT_SSLCERT_BLOB", "CURLOPT_SSLKEY_BLOB"] }
        if !tls.pins.isEmpty { needed.append("CURLOPT_SSL_CTX_FUNCTION") }
        if protocols == .http3Only, let fault = features.http3OnlyFault { return fault }
        if !tls.authorities.isEmpty, !features.hostAuthorities {
            return .unsupported(feature: "authorities of single hosts (7.84 or later is needed)", on: features.library)
        }
        return needed.lazy.compactMap { features.fault(without: $0) }.first
    }

    /// libcurl's limit; 0 means no limit. Many servers accept a hundred or more connections of one client, and a process may
    /// have 1,024 descriptors: 64 leaves room for both.
    var connectionsPerHost: Int {
        let count = connections.maximumPerHost ?? 64
        return count > 1 << 20 ? 0 : count
    }

    /// The hosts and ports, as in URLs, whose connections go to other machines.
    var redirectedHosts: Set<String> {
        let targets = connectionTargets.filter { !Self.isLoopback($0.value) }.keys
        let overrides = addressOverrides.filter { override in
            !override.value.allSatisfy { Self.isLoopback($0.contains(":") ? "[\($0)]" : $0) }
        }.keys
        return Set((Array(targets) + Array(overrides)).map(\.asciiLowercased))
    }

    private static func isLoopback(_ place: String) -> Bool {
        (try? HTTPURL("http://\(place)/"))?.origin.isLoopback ?? false
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

extension ProtocolPreference {
    /// The names of the offered versions.
    func names(_ features: CurlFeatures) -> [HTTPVersion.RawValue] {
        let secure = [HTTPVersion.http2, .http1_1].map(\.rawValue)
        return switch self {
        case .http1: [HTTPVersion.http1_1.rawValue]
        case .http2WhereSecure: secure
        case .http2PriorKnowledge: [HTTPVersion.http2.rawValue]
        case .http3WhereAvailable: features.http3Fault == nil ? [HTTPVersion.http3.rawValue] + secure : secure
        case .http3Only: [HTTPVersion.http3.rawValue]
        }
    }
}
#endif
