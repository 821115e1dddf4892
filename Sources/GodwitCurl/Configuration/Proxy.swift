/// The way to servers.
public enum Proxy: Sendable, Hashable {
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    case environment

    /// Straight to the server.
    case none

    /// Through a proxy: `http://`, `https://`, `socks5://` or `socks5h://` (which resolves names itself), with a port.
    ///
    /// Hosts in `except` are reached straight: names, which hold for names under them too, addresses, or `*`.
    case url(String, except: [String] = [])
}
