/// Which hosts a cookie's domain covers (RFC 6265bis section 5.1.3).
package enum CookieDomain {
    /// Whether a host is the domain, or a name under it. Both are in lower case; an address matches only itself.
    package static func matches(_ host: String, _ domain: String) -> Bool {
        if host == domain { return true }
        guard host.utf8.count > domain.utf8.count, host.utf8.reversed().starts(with: domain.utf8.reversed()) else {
            return false
        }
        let before = host.utf8.dropLast(domain.utf8.count).last
        return before == UInt8(ascii: ".") && !isAddress(host)
    }

    /// The domains that a host matches, itself first and its last label last.
    static func candidates(for host: String) -> [String] {
        guard !isAddress(host) else { return [host] }
        var domains = [host]
        var rest = host[...]
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            if !rest.isEmpty { domains.append(String(rest)) }
        }
        return domains
    }

    static func withoutRootDot(_ domain: String) -> String {
        domain.utf8.last == UInt8(ascii: ".") ? String(domain.dropLast()) : domain
    }

    private static func isAddress(_ host: String) -> Bool {
        host.utf8.first == UInt8(ascii: "[") || IPAddress.v4(host) != nil
    }
}
