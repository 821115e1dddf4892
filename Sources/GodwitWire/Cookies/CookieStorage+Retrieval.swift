extension CookieStorage {
    /// The cookies that a request to a URL carries, in their order (RFC 6265bis section 5.8.3), and notes their use.
    package mutating func take(for url: HTTPURL, at now: Date) -> [Cookie] {
        guard count > 0 else { return [] }
        removeExpired(at: now)
        let found = places(for: url)
        for (domain, index) in found { domains[domain]?[index].cookie.lastUsed = now }
        return sorted(found)
    }

    /// The same without noting a use.
    package func cookies(for url: HTTPURL, at now: Date) -> [Cookie] {
        sorted(places(for: url)).filter { !$0.isExpired(at: now) }
    }

    /// The value of a `Cookie` field (step 4); nil where there are none.
    package static func field(_ cookies: [Cookie]) -> String? {
        guard !cookies.isEmpty else { return nil }
        return cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private func places(for url: HTTPURL) -> [(domain: String, index: Int)] {
        let (host, path, isSecure) = (url.host, url.path, url.isSecureForCookies)
        var found: [(domain: String, index: Int)] = []
        for domain in CookieDomain.candidates(for: host) {
            for (index, entry) in (domains[domain] ?? []).enumerated() {
                let cookie = entry.cookie
                guard !cookie.isHostOnly || domain == host, !cookie.isSecure || isSecure,
                    CookiePath.matches(path, cookie.path)
                else { continue }
                found.append((domain, index))
            }
        }
        return found
    }

    /// Longer paths first, then older cookies.
    private func sorted(_ places: [(domain: String, index: Int)]) -> [Cookie] {
        places.compactMap { domains[$0.domain]?[$0.index] }.sorted { left, right in
            let (leftLength, rightLength) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            guard leftLength == rightLength else { return leftLength > rightLength }
            return (left.cookie.created, left.order) < (right.cookie.created, right.order)
        }.map(\.cookie)
    }
}
