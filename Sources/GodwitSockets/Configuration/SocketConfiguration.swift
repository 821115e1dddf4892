#if os(Linux)
public import GodwitCore
import GodwitLibc
import GodwitTLS

/// Settings of a ``SocketTransport``. Copied when the transport is made; later changes have no effect on it.
///
/// Change them in the closure of ``SocketTransport``'s initializer:
///
/// ```swift
/// let transport = try SocketTransport {
///     $0.proxy = .url("http://proxy.example.com:3128", except: ["localhost", "example.com"])
///     $0.maximumConnectionsPerHost = 8
/// }
/// ```
public struct SocketConfiguration: Sendable {
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
    /// Keys are the host and port of a URL. TLS still verifies the URL's host. Empty by default. The transport's initializer
    /// throws `.invalidRequest` for a value that isn't a host with or without a port.
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

    /// How often the files of trusted certificates are checked for changes, while there are exchanges.
    package var trustCheckInterval: Duration = .seconds(10)

    /// Whether ``SocketTransport/longestTurn`` is measured, which takes two system calls a turn.
    package var measuresTurns = false

    /// Creates a configuration with default values.
    public init() {}

    /// Each event loop is a thread: more than this is a mistake that would take the system's last one.
    static let eventLoopLimit = 256

    /// How many idle connections all event loops keep, as far as warming up goes: more is a mistake.
    var connectionsKept: Int {
        min(max(1, maximumIdleConnections), 4096 / max(1, eventLoops)) * max(1, eventLoops)
    }

    /// Why the configuration is invalid, or `nil`.
    package var fault: String? {
        if eventLoops < 1 { return "a transport needs at least one event loop" }
        if eventLoops > Self.eventLoopLimit { return "a transport has at most \(Self.eventLoopLimit) event loops" }
        return connections.fault ?? Places.fault(inAddresses: addressOverrides)
            ?? Places.fault(inTargets: connectionTargets) ?? Places.fault(inHosts: hostFields)
    }

    /// Many servers accept a hundred or more connections of one client, and a process may have 1,024 descriptors: 64 leaves
    /// room for both.
    package var connectionsPerHost: Int { connections.maximumPerHost ?? 64 }

    /// The hosts and ports, as in URLs, whose connections go to other machines.
    var redirectedHosts: Set<String> {
        let targets = connectionTargets.filter { !Places.isLoopback($0.value) }.keys
        let overrides = addressOverrides.filter { override in
            !override.value.allSatisfy { Places.isLoopback($0.contains(":") ? "[\($0)]" : $0) }
        }.keys
        return Set((Array(targets) + Array(overrides)).map(\.asciiLowercased))
    }

    package mutating func normalizeHosts() {
        addressOverrides = HostSpelling.normalized(table: addressOverrides)
        connectionTargets = HostSpelling.normalized(table: connectionTargets).mapValues { HostSpelling.normalized($0) }
        hostFields = HostSpelling.normalized(table: hostFields)
    }
}

extension SocketConfiguration {
    /// Maximum connections to one host at once; the same as ``ConnectionPolicy/maximumPerHost``.
    public var maximumConnectionsPerHost: Int? {
        get { connections.maximumPerHost }
        set { connections.maximumPerHost = newValue }
    }
}

/// Checks hosts, ports and addresses of settings.
package enum Places {
    /// Why these overrides are invalid, or `nil`.
    static func fault(inAddresses overrides: [String: [String]]) -> String? {
        for (name, addresses) in overrides {
            guard isHostAndPort(name) else { return "the address override \"\(name)\" is not of the form host:port" }
            guard !addresses.isEmpty else { return "the address override for \"\(name)\" has no address" }
            if let address = addresses.first(where: { SocketAddress($0, port: 1) == nil }) {
                return "the address override for \"\(name)\" has \"\(address)\", which is not an IP address"
            }
        }
        return nil
    }

    /// Why these targets are invalid, or `nil`.
    static func fault(inTargets targets: [String: String]) -> String? {
        targets.flatMap { [$0, $1] }.first { !isHostAndPort($0) }.map {
            "the connection target \"\($0)\" is not of the form host:port"
        }
    }

    /// Why these values of `Host` are invalid, or `nil`.
    static func fault(inHosts hosts: [String: String]) -> String? {
        if let name = hosts.keys.first(where: { !isHostAndPort($0) }) {
            return "the host field for \"\(name)\" is not for a host:port"
        }
        return hosts.values.first { value in
            value.contains { "/?#@\\".contains($0) } || (try? HTTPURL("http://\(value)/")) == nil
        }.map { "\"\($0)\" is not a host for the field Host" }
    }

    /// Why a URL's zone can't be used (RFC 9844); `nil` if it can, or there is none.
    package static func zoneFault(in url: HTTPURL) -> NetworkError.Kind? {
        guard let zone = HostAndPort(host: url.host, port: url.port).zone else { return nil }
        guard if_nametoindex(zone) != 0 || UInt32(zone) != nil else {
            return .transport(.cannotConnect("this machine has no network interface \(zone)"))
        }
        return nil
    }

    static func isLoopback(_ place: String) -> Bool {
        (try? HTTPURL("http://\(place)/"))?.origin.isLoopback ?? false
    }

    private static func isHostAndPort(_ name: String) -> Bool {
        guard let url = try? HTTPURL("http://\(name)/") else { return false }
        return url.port > 0 && "\(url.host):\(url.port)" == name.asciiLowercased
    }
}
#endif
