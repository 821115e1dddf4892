/// Which cookies a jar takes from servers.
///
/// It does not limit what is sent: cookies that are in the jar go where they belong. A request that shall neither send
/// nor store any says so with ``RequestOptions/cookies``.
///
/// ```swift
/// let jar = CookieJar(accepting: .ownSite)
/// ```
public enum CookiePolicy: Sendable, Hashable {
    /// All that RFC 6265bis allows.
    case always
    /// Only those of the site that was called, not those of another site a redirect led to. Sites are told apart by
    /// ``PublicSuffixes/site(of:)``; the scheme does not matter.
    case ownSite
    /// None.
    case never
}
