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
