/// Tells domains under which anybody may have names, such as `com` and `co.uk`, from those that belong to somebody.
///
/// A cookie for a public suffix would go to strangers, so none is stored (RFC 6265bis section 5.7 step 9).
public protocol PublicSuffixes: Sendable {
    /// Whether a domain is a public suffix. The domain is in lower-case ASCII, has no dot at its ends and is not empty.
    func isPublicSuffix(_ domain: String) -> Bool
}

extension PublicSuffixes {
    /// The registrable domain that a host belongs to: a public suffix and one label more.
    ///
    /// A host that is an address or itself a public suffix is a site of its own.
    public func site(of host: String) -> String {
        let parents = CookieDomain.candidates(for: CookieDomain.withoutRootDot(host))
        for (child, parent) in zip(parents, parents.dropFirst()) where isPublicSuffix(parent) { return child }
        return parents.count > 1 && !isPublicSuffix(parents[0]) ? parents[parents.count - 1] : parents[0]
    }

    package func refuses(_ domain: String) -> Bool {
        let name = CookieDomain.withoutRootDot(domain)
        return name.isEmpty || isPublicSuffix(name)
    }
}
