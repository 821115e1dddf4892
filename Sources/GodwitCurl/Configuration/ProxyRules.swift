import Glibc
package import GodwitCore

/// Decides which proxy a request goes through.
///
/// The environment is read once, when a transport is made. libcurl would read it for each request, and matches `NO_PROXY`
/// differently from version to version.
package struct ProxyRules: Sendable {
    private let plain: String?
    private let secure: String?
    private let exceptions: ProxyExceptions
    private let includesLoopback: Bool

    package init(_ proxy: Proxy, environment: (String) -> String? = Self.variable) {
        switch proxy {
        case .none:
            (plain, secure, exceptions, includesLoopback) = (nil, nil, ProxyExceptions(""), false)
        case .url(let url, let hosts):
            plain = url
            secure = url
            exceptions = ProxyExceptions(hosts.joined(separator: ","))
            includesLoopback = true
        case .environment:
            // Not HTTP_PROXY, which a client of a CGI program could set.
            plain = Self.first(of: ["http_proxy", "all_proxy", "ALL_PROXY"], environment)
            secure = Self.first(of: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], environment)
            exceptions = ProxyExceptions(Self.first(of: ["no_proxy", "NO_PROXY"], environment) ?? "")
            // What is meant for this machine, credentials over plain http included, must not leave it because of a variable.
            includesLoopback = false
        }
    }

    /// Whether no request goes through a proxy.
    var isEmpty: Bool { plain == nil && secure == nil }

    /// The URL of the proxy for an origin. `nil` if it is reached directly.
    package func proxy(for origin: Origin) -> String? {
        guard let proxy = origin.scheme == .https ? secure : plain else { return nil }
        if origin.isLoopback && !includesLoopback { return nil }
        return exceptions.contain(origin.host, port: origin.port) ? nil : proxy
    }

    /// What a proxy could repeat: the passwords in its URLs, as written and decoded.
    var secrets: [String] {
        [plain, secure].compactMap(\.self).flatMap { url -> [String] in
            guard let at = url.lastIndex(of: "@") else { return [] }
            let user = url[..<at]
            let start = user.firstRange(of: "://")?.upperBound ?? user.startIndex
            let password = user[start...].drop { $0 != ":" }.dropFirst()
            return password.isEmpty ? [] : [String(password), PercentEncoding.decode(password) ?? ""]
        }
    }

    /// As libcurl, treats an empty variable as one that isn't set.
    private static func first(of names: [String], _ environment: (String) -> String?) -> String? {
        names.lazy.compactMap(environment).first { !$0.isEmpty }
    }

    package static let variable: @Sendable (String) -> String? = { name in
        getenv(name).map { String(cString: $0) }
    }
}
