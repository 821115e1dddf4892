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
