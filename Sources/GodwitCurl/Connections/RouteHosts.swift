import Glibc
package import GodwitCore

/// The hosts that connections for a URL may go to: the URL's, or a proxy's.
package struct RouteHosts {
    private let proxy: Proxy

    package init(_ proxy: Proxy) {
        self.proxy = proxy
    }

    /// The hosts with the port of a socket that libcurl opened, the likeliest first.
    package func hosts(for url: HTTPURL, port: UInt16) -> [HostAndPort] {
        let own = HostAndPort(host: url.host, port: url.port)
        let all = proxies(for: url).compactMap(Self.host) + [own]
        return all.filter { $0.port == Int(port) && SocketAddress($0.host, port: 0) == nil }
    }

    /// Whether only a socket's address tells which host it goes to.
    package func isAmbiguous(for url: HTTPURL) -> Bool { !proxies(for: url).isEmpty }

    private func proxies(for url: HTTPURL) -> [String] {
        switch proxy {
        case .none: []
        case .url(let text, _): [text]
        case .environment:
            (url.scheme == .https ? Self.secureVariables : Self.plainVariables).compactMap { name in
                getenv(name).map { String(cString: $0) }
            }
        }
    }

    private static let secureVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let plainVariables = ["http_proxy", "all_proxy", "ALL_PROXY"]

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
