/// A scheme, host and port: the scope of credentials, cookies and connections (RFC 6454).
///
/// URLs with the same origin may share secrets; URLs with different origins never do.
///
/// ```swift
/// try HTTPURL("https://example.com/a").origin.description         // https://example.com
/// try HTTPURL("http://[::1]:8080/").origin.isLoopback             // true
/// ```
public struct Origin: Sendable, Hashable, Nonisolated {
    /// `http` or `https`.
    public let scheme: HTTPURL.Scheme

    /// The host in lowercase ASCII; an IPv6 address is in brackets, with its zone as `%25eth0`.
    public let host: String

    /// The port; the scheme's default if the URL names none.
    public let port: Int

    /// Creates an origin from parts that are valid and normalized.
    package init(scheme: HTTPURL.Scheme, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Whether the host is this machine: `localhost`, a name under it, 127.0.0.0/8 or `[::1]`.
    ///
    /// Decided from the text; no name is resolved.
    public var isLoopback: Bool {
        switch host.utf8.last {
        case UInt8(ascii: "t"): host == "localhost" || host.hasSuffix(".localhost")
        case UInt8(ascii: "]"): host == "[::1]" || host.hasPrefix("[::1%")
        default: host == "127.0.0.1" || IPAddress.v4(host)?.x == 127
        }
    }
}

extension Origin {
    /// Hashes the host and port only: they rarely repeat across schemes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
    }
}

extension Origin {
    /// Whether the network can't read what is sent there directly: by https, or because it stays on this machine.
    package var isConfidential: Bool { scheme == .https || isLoopback }

    /// Whether a connection ends on this machine, also by a spelling that a resolver may send elsewhere: `localhost.` is asked of
    /// DNS by some, and the unspecified address is this machine on some systems. Reason enough to keep it from a proxy; not to
    /// send credentials over plain http.
    package var mayBeLoopback: Bool {
        if isLoopback || Self.isMappedLoopback(host) || host.hasSuffix(".localhost.") { return true }
        return ["localhost.", "0.0.0.0", "[::]", "[::ffff:0:0]"].contains(Authority.withoutZone(host))
    }

    /// Whether it is 127.0.0.0/8 as IPv6 (RFC 4291 section 2.5.5.2), as URLs are normalized: `[::ffff:7f00:1]`.
    private static func isMappedLoopback(_ host: String) -> Bool {
        host.hasPrefix("[::ffff:7f") && host.utf8.dropFirst(12).first == UInt8(ascii: ":")
    }

    /// The value of `Host`: the host without a zone, and the port unless it is the scheme's default (RFC 9110 section 7.2).
    package var hostAndPort: String {
        let host = Authority.withoutZone(host)
        return port == scheme.defaultPort ? host : "\(host):\(port)"
    }
}

extension Origin: CustomStringConvertible {
    /// The origin as written in a URL, without a default port.
    public var description: String {
        let start = scheme.rawValue + "://" + host
        return port == scheme.defaultPort ? start : "\(start):\(port)"
    }
}
