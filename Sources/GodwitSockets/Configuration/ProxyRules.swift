#if os(Linux)
package import GodwitCore
import GodwitLibc

/// Decides which proxy a request goes through.
///
/// The environment is read once, when a transport is made.
package struct ProxyRules: Sendable {
    private let plain: String?
    private let secure: String?
    private let exceptions: ProxyExceptions
    private let includesLoopback: Bool

    package init(_ proxy: Proxy) {
        switch proxy {
        case .none:
            plain = nil
            secure = nil
            exceptions = ProxyExceptions("")
            includesLoopback = false
        case .url(let url, let hosts):
            plain = HostSpelling.normalized(proxy: url)
            secure = plain
            exceptions = ProxyExceptions(hosts.joined(separator: ","))
            includesLoopback = true
        case .environment:
            // Not HTTP_PROXY, which a client of a CGI program could set.
            plain = Self.variable(["http_proxy", "all_proxy", "ALL_PROXY"]).map(HostSpelling.normalized(proxy:))
            secure = Self.variable(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
                .map(HostSpelling.normalized(proxy:))
            exceptions = ProxyExceptions(Self.variable(["no_proxy", "NO_PROXY"]) ?? "")
            // What is meant for this machine, credentials over plain http included, must not leave it because of a variable.
            includesLoopback = false
        }
    }

    /// The URL of the proxy for an origin. `nil` if it is reached directly.
    package func proxy(for origin: Origin) -> String? {
        guard let proxy = origin.scheme == .https ? secure : plain else { return nil }
        // The interface of a zone is this machine's too.
        let isNear = origin.mayBeLoopback || Authority.withoutZone(origin.host) != origin.host
        if isNear && !includesLoopback { return nil }
        return exceptions.contain(origin.host, port: origin.port) ? nil : proxy
    }

    /// Whether a proxy is spoken to over TLS.
    var mayUseTLS: Bool { [plain, secure].contains { $0?.asciiLowercased.hasPrefix("https:") == true } }

    /// What a proxy could repeat: the passwords in its URLs, as written and decoded.
    package var secrets: [String] {
        Set([plain, secure].compactMap(\.self)).flatMap { url -> [String] in
            guard let at = url.lastIndex(of: "@") else { return [] }
            let user = url[..<at]
            let start = user.firstRange(of: "://")?.upperBound ?? user.startIndex
            let password = user[start...].drop { $0 != ":" }.dropFirst()
            return password.isEmpty ? [] : [String(password), PercentEncoding.decode(password) ?? ""]
        }
    }

    /// The first of the variables that is set. As for libcurl, an empty one isn't.
    private static func variable(_ names: [String]) -> String? {
        names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    }
}
#endif
