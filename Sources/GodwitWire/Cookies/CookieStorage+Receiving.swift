extension CookieStorage {
    /// The maximum lifetime of a cookie: 400 days (section 5.5).
    static let longestLife = 400.0 * 86_400

    /// Stores a cookie from a server (RFC 6265bis section 5.7), or throws why it is rejected.
    package mutating func receive(
        _ text: String, from url: HTTPURL, suffixes: some PublicSuffixes, at now: Date
    ) throws(CookieRefusal) {
        let received = try SetCookie(text)
        let cookie = try Self.cookie(received, from: url, suffixes: suffixes, at: now)
        removeExpired(at: now)
        if !url.origin.isConfidential, hidesSecure(cookie) { throw .overlaysSecure }
        insert(cookie, at: now)
    }

    private static func cookie(
        _ received: SetCookie, from url: HTTPURL, suffixes: some PublicSuffixes, at now: Date
    ) throws(CookieRefusal) -> Cookie {
        let domain = try domain(of: received, from: url, suffixes: suffixes)
        var cookie = Cookie(name: received.name, value: received.value, domain: domain ?? url.host)
        cookie.isHostOnly = domain == nil
        cookie.path = received.path.flatMap { $0.isEmpty ? nil : $0 } ?? CookiePath.standard(for: url.path)
        cookie.expires = expiry(of: received, at: now)
        cookie.isSecure = received.isSecure
        cookie.isHTTPOnly = received.isHTTPOnly
        cookie.sameSite = received.sameSite
        cookie.created = now
        cookie.lastUsed = now
        if cookie.isSecure, !url.origin.isConfidential { throw .insecureOrigin }
        try cookie.check()
        // The default path may happen to be `/`; the prefix requires an explicit one (step 21).
        if received.path == nil, CookieText.begins(cookie.name, with: "__Host-") { throw .brokenPrefix }
        return cookie
    }

    /// Steps 7 to 10: the domain of the cookie; `nil` for the host only.
    private static func domain(
        of received: SetCookie, from url: HTTPURL, suffixes: some PublicSuffixes
    ) throws(CookieRefusal) -> String? {
        guard let domain = received.domain, !domain.isEmpty else { return nil }
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { throw .invalidScope }
        if suffixes.refuses(domain) {
            guard domain == url.host else { throw .publicSuffix }
            return nil
        }
        guard CookieDomain.matches(url.host, domain) else { throw .foreignDomain }
        return domain
    }

    /// Step 6: `Max-Age` takes precedence over `Expires`.
    private static func expiry(of received: SetCookie, at now: Date) -> Date? {
        let latest = now.addingTimeInterval(longestLife)
        if let seconds = received.maxAge {
            return seconds > 0 ? min(now.addingTimeInterval(Double(seconds)), latest) : .distantPast
        }
        return received.expires.map { min($0, latest) }
    }

    /// Step 16: whether a cookie would hide or replace a secure one of the same name.
    private func hidesSecure(_ cookie: Cookie) -> Bool {
        domains.contains { domain, entries in
            (CookieDomain.matches(domain, cookie.domain) || CookieDomain.matches(cookie.domain, domain))
                && entries.contains { entry in
                    entry.cookie.isSecure && entry.cookie.name == cookie.name
                        && CookiePath.matches(cookie.path, entry.cookie.path)
                }
        }
    }
}
