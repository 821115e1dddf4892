/// Domain matching of cookies (RFC 6265bis section 5.1.3).
package enum CookieDomain {
    /// Whether a host is the domain or a subdomain of it. Both are lowercase; an address matches only itself.
    package static func matches(_ host: String, _ domain: String) -> Bool {
        if host == domain { return true }
        guard host.utf8.count > domain.utf8.count, host.utf8.reversed().starts(with: domain.utf8.reversed()) else {
            return false
        }
        let before = host.utf8.dropLast(domain.utf8.count).last
        return before == UInt8(ascii: ".") && !isAddress(host)
    }

    /// The domains that a host matches: itself first, its last label last.
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

    static func isAddress(_ host: String) -> Bool {
        host.utf8.first == UInt8(ascii: "[") || IPAddress.v4(host) != nil
    }
}

/// Path matching of cookies (RFC 6265bis section 5.1.4).
enum CookiePath {
    /// The default path of a cookie: the request's path without its last segment.
    static func standard(for path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            last != path.startIndex
        else { return "/" }
        return String(path[..<last])
    }

    /// Whether a request's path is the cookie's path or below it.
    static func matches(_ path: String, _ cookiePath: String) -> Bool {
        guard path.utf8.starts(with: cookiePath.utf8) else { return false }
        let next = path.utf8.dropFirst(cookiePath.utf8.count).first
        return next == nil || next == UInt8(ascii: "/") || cookiePath.utf8.last == UInt8(ascii: "/")
    }
}

/// Distinguishes public suffixes, such as `com` and `co.uk`, from registered domains.
///
/// A cookie for a public suffix would be sent to unrelated sites, so it is rejected (RFC 6265bis section 5.7 step 9).
///
/// ```swift
/// let jar = CookieJar(suffixes: PublicSuffixList())
/// ```
public protocol PublicSuffixes: Sendable {
    /// Whether a domain is a public suffix. The domain is lowercase ASCII with at least one dot and no trailing one.
    func isPublicSuffix(_ domain: String) -> Bool
}

extension PublicSuffixes {
    /// The registrable domain of a host: a public suffix and one more label.
    ///
    /// A name without a dot counts as a public suffix. A host that is a public suffix or an address is its own site.
    ///
    /// - Parameter host: A lowercase host name, or an address.
    public func site(of host: String) -> String {
        let host = CookieDomain.withoutRootDot(host)
        guard !refuses(host) else { return host }
        let parents = CookieDomain.candidates(for: host)
        return zip(parents, parents.dropFirst()).first { refuses($1) }?.0 ?? host
    }

    /// Whether cookies for this domain are rejected, except from the host of that exact name.
    package func refuses(_ domain: String) -> Bool {
        let name = CookieDomain.withoutRootDot(domain)
        return !name.utf8.contains(UInt8(ascii: ".")) || isPublicSuffix(name)
    }
}

/// Fallback used when no public-suffix list is available: treats every domain as a public suffix.
///
/// Cookies are limited to the exact host that set them. A cookie for a parent domain is rejected, and each host is its
/// own site. This may send too few cookies, never too many.
public struct ExactHosts: PublicSuffixes {
    /// Creates the fallback, for which every domain is a public suffix.
    public init() {}

    /// True for every name.
    public func isPublicSuffix(_ domain: String) -> Bool { true }
}
