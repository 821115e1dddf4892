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

/// Which paths a cookie's path covers (RFC 6265bis section 5.1.4).
package enum CookiePath {
    /// The path of a cookie that names none: the request's, without its last segment.
    package static func standard(for path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            last != path.startIndex
        else { return "/" }
        return String(path[..<last])
    }

    /// Whether a request's path is a cookie's path, or lies under it.
    package static func matches(_ path: String, _ cookiePath: String) -> Bool {
        guard path.utf8.starts(with: cookiePath.utf8) else { return false }
        let next = path.utf8.dropFirst(cookiePath.utf8.count).first
        return next == nil || next == UInt8(ascii: "/") || cookiePath.utf8.last == UInt8(ascii: "/")
    }
}

/// Tells domains under which anybody may have names, such as `com` and `co.uk`, from those that belong to somebody.
///
/// A cookie for a public suffix would go to strangers, so none is stored (RFC 6265bis section 5.7 step 9).
///
/// ```swift
/// let jar = CookieJar(suffixes: PublicSuffixList())
/// ```
public protocol PublicSuffixes: Sendable {
    /// Whether a domain is a public suffix. The domain is in lower-case ASCII and has a dot, but
    /// none at its end.
    func isPublicSuffix(_ domain: String) -> Bool
}

extension PublicSuffixes {
    /// The registrable domain that a host belongs to: a public suffix and one label more.
    ///
    /// A name without a dot counts as a public suffix, in a list or not. A host that is one, or an address, is a site of
    /// its own.
    ///
    /// - Parameter host: A host name in lower case, or an address.
    public func site(of host: String) -> String {
        let host = CookieDomain.withoutRootDot(host)
        guard !refuses(host) else { return host }
        let parents = CookieDomain.candidates(for: host)
        return zip(parents, parents.dropFirst()).first { refuses($1) }?.0 ?? host
    }

    /// Whether no cookie may be set for a domain, but by the host of that very name.
    package func refuses(_ domain: String) -> Bool {
        let name = CookieDomain.withoutRootDot(domain)
        return !name.utf8.contains(UInt8(ascii: ".")) || isPublicSuffix(name)
    }
}

/// The public suffixes of who has no list: every domain might be one.
///
/// Cookies then belong to exactly the host that set them. One that asks for its host's parent is refused, and each
/// host is a site of its own. Too few cookies are sent this way, never one too many.
public struct ExactHosts: PublicSuffixes {
    /// Makes the rule.
    public init() {}

    /// True for every name.
    ///
    /// - Parameter domain: Any name.
    public func isPublicSuffix(_ domain: String) -> Bool { true }
}
