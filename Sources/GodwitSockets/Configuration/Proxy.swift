#if os(Linux)
/// The proxy that requests go through.
///
/// ```swift
/// let transport = try SocketTransport { $0.proxy = .url("socks5h://127.0.0.1:1080") }
/// let other = try SocketTransport {
///     $0.proxy = .url("http://proxy.example.com:3128", except: ["localhost", "10.0.0.1"])
/// }
/// ```
public enum Proxy: Sendable, Hashable {
    /// The environment's proxy: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, read when the transport is made.
    ///
    /// Like libcurl, also reads `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, but never `HTTP_PROXY`, which a client of a CGI
    /// program could set. Requests to this machine (`Origin.isLoopback`) never use it.
    case environment

    /// No proxy.
    case none

    /// A proxy's URL: `http://`, `https://`, `socks5://` or `socks5h://` (which resolves names itself), with a port.
    ///
    /// Hosts in `except` are reached directly: names, which include their subdomains, addresses, networks such as
    /// `10.0.0.0/8`, `*`; each with a port if only that port is meant. Others use the proxy, this machine too. Plain http to this
    /// machine then leaves it, so credentials aren't sent with it; see `HTTPTransport.forwardsLoopback(_:)`.
    case url(String, except: [String] = [])
}

extension Proxy {
    package var isURL: Bool {
        if case .url = self { true } else { false }
    }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
    /// The proxy, without the user and password of its URL.
    public var description: String {
        switch self {
        case .environment: "from the environment"
        case .none: "none"
        case .url(let url, let exceptions): Self.shown(url) + (exceptions.isEmpty ? "" : " except \(exceptions)")
        }
    }

    /// The description too: reflection shows no password.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }

    /// A URL without user and password.
    static func shown(_ url: String) -> String {
        guard let at = url.lastIndex(of: "@") else { return url }
        let scheme = url.firstRange(of: "://").map { url[..<$0.upperBound] } ?? ""
        return "\(scheme)<redacted>\(url[at...])"
    }
}
#endif
