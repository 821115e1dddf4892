#if os(Linux)
package import GodwitCore
package import GodwitSockets

/// The hosts that connections for a URL may go to: the URL's, or a proxy's.
package struct RouteHosts {
    private let proxies: ProxyRules

    package init(_ proxies: ProxyRules) {
        self.proxies = proxies
    }

    /// The hosts with the port of a socket that libcurl opened, the likeliest first.
    package func hosts(for url: HTTPURL, port: UInt16) -> [HostAndPort] {
        let own = HostAndPort(host: url.host, port: url.port)
        let all = [proxies.proxy(for: url.origin).flatMap(Self.host), own].compactMap(\.self)
        return all.filter { $0.port == Int(port) && SocketAddress($0.host, port: 0) == nil }
    }

    /// Whether only a socket's address tells which host it goes to.
    package func isAmbiguous(for url: HTTPURL) -> Bool { proxies.proxy(for: url.origin) != nil }

    /// The host and port of a proxy's URL, with libcurl's defaults.
    package static func host(_ proxy: String) -> HostAndPort? {
        var rest = proxy[...]
        var port = 1080
        if let scheme = rest.firstRange(of: "://") {
            if rest[..<scheme.lowerBound].lowercased() == "https" { port = 443 }
            rest = rest[scheme.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        guard !rest.hasPrefix("[") else { return nil }
        if let colon = rest.lastIndex(of: ":") {
            guard let number = Int(rest[rest.index(after: colon)...]) else { return nil }
            port = number
            rest = rest[..<colon]
        }
        return rest.isEmpty ? nil : HostAndPort(host: String(rest).asciiLowercased, port: port)
    }
}
#endif
