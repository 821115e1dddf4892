#if os(Linux)
import GodwitCore

/// A proxy as its URL names it: its protocol, its address, and the user's credentials.
package struct ProxyAddress: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case http, https
        /// SOCKS 5 (RFC 1928). With `resolves`, the proxy looks up names.
        case socks5(resolves: Bool)
    }

    let kind: Kind
    let place: HostAndPort
    let user: String?
    let password: String?

    /// `nil` for text that isn't the URL of a proxy of these kinds.
    package init?(_ url: String) {
        let end = url.firstRange(of: "://")
        guard let kind = Self.kind(end.map { url[..<$0.lowerBound] } ?? "http") else { return nil }
        var rest = url[(end?.upperBound ?? url.startIndex)...].prefix { $0 != "/" }
        var credentials: Substring?
        if let at = rest.lastIndex(of: "@") {
            credentials = rest[..<at]
            rest = rest[rest.index(after: at)...]
        }
        guard let place = Self.place(rest, kind) else { return nil }
        self.kind = kind
        self.place = place
        let parts = credentials?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        user = parts?.first.map { PercentEncoding.decode($0) ?? String($0) }
        password = parts.map { $0.count > 1 ? PercentEncoding.decode($0[1]) ?? String($0[1]) : "" }
    }

    /// Whether a request for `http` is sent to it in absolute form, without a tunnel.
    var forwardsRequests: Bool {
        switch kind {
        case .http, .https: true
        case .socks5: false
        }
    }

    private static func kind(_ scheme: Substring) -> Kind? {
        switch String(scheme).asciiLowercased {
        case "http": .http
        case "https": .https
        case "socks5": .socks5(resolves: false)
        case "socks5h": .socks5(resolves: true)
        default: nil
        }
    }

    /// libcurl's default ports, which its users expect.
    private static func place(_ text: Substring, _ kind: Kind) -> HostAndPort? {
        guard let url = try? HTTPURL("http://\(text)/"), !text.isEmpty else { return nil }
        let isNamed =
            text.last.map { $0 != "]" } == true && text.contains(":")
            && text.split(separator: ":").last.flatMap { Int($0) } != nil
        return HostAndPort(host: url.host, port: isNamed ? url.port : kind == .https ? 443 : 1080)
    }
}
#endif
