/// The cookies of one jar, and what happens to them (RFC 6265bis sections 5.7 and 5.8). A value: no clock, no lock.
package struct CookieStorage: Sendable {
    /// The most cookies of one domain.
    package static let limitPerDomain = 180

    /// The most cookies in all.
    package static let limit = 3000

    struct Entry: Sendable {
        var cookie: Cookie
        /// Tells the older of two cookies that were made in the same moment.
        let order: UInt64
    }

    var domains: [String: [Entry]] = [:]
    /// No cookie ends before.
    private var nextExpiry = Date.distantFuture
    private var lastOrder: UInt64 = 0

    /// How many there are.
    package private(set) var count = 0

    /// Changes when a persistent cookie was stored, replaced or removed, and a file would have to be written again.
    package private(set) var persistentVersion = 0

    /// Makes an empty one.
    package init() {}

    /// All cookies, in the order they were made.
    package func all(at now: Date) -> [Cookie] {
        domains.values.joined().filter { !$0.cookie.isExpired(at: now) }
            .sorted { $0.order < $1.order }.map(\.cookie)
    }

    /// Puts a cookie that has been checked in the place of the one it replaces, or beside the others (steps 23 and 24).
    /// One that has ended only takes the old one away.
    package mutating func insert(_ cookie: Cookie, at now: Date) {
        var entry = Entry(cookie: cookie, order: lastOrder + 1)
        if let old = removeEntry(cookie.domain, where: { cookie.replaces($0) }) {
            entry = Entry(cookie: cookie, order: old.order)
            entry.cookie.created = old.cookie.created
        } else {
            lastOrder += 1
        }
        guard !cookie.isExpired(at: now) else { return }
        domains[cookie.domain, default: []].append(entry)
        count += 1
        if let expires = cookie.expires { nextExpiry = min(nextExpiry, expires) }
        noteChange(of: cookie)
        evictExcess(in: cookie.domain, at: now)
    }

    /// Removes the cookies of this kind.
    package mutating func remove(where isGone: (Cookie) -> Bool) {
        for (domain, entries) in domains {
            let kept = entries.filter { !isGone($0.cookie) }
            guard kept.count < entries.count else { continue }
            entries.lazy.map(\.cookie).filter(isGone).forEach { noteChange(of: $0) }
            count -= entries.count - kept.count
            domains[domain] = kept.isEmpty ? nil : kept
        }
    }

    /// Removes what has ended. Costs nothing while nothing has.
    mutating func removeExpired(at now: Date) {
        guard now >= nextExpiry else { return }
        remove { $0.isExpired(at: now) }
        nextExpiry = domains.values.joined().compactMap(\.cookie.expires).min() ?? .distantFuture
    }

    /// Removes excess cookies in the order of section 5.7: those of the crowded domain that are not secure, any of that
    /// domain, then any at all; of each kind those longest unused.
    private mutating func evictExcess(in domain: String, at now: Date) {
        guard domains[domain]?.count ?? 0 > Self.limitPerDomain || count > Self.limit else { return }
        removeExpired(at: now)
        while let entries = domains[domain], entries.count > Self.limitPerDomain {
            removeLongestUnused(
                of: entries.contains { !$0.cookie.isSecure } ? entries.filter { !$0.cookie.isSecure } : entries)
        }
        while count > Self.limit { removeLongestUnused(of: Array(domains.values.joined())) }
    }

    private mutating func removeLongestUnused(of entries: [Entry]) {
        guard let victim = entries.min(by: { ($0.cookie.lastUsed, $0.order) < ($1.cookie.lastUsed, $1.order) }) else {
            return
        }
        removeEntry(victim.cookie.domain) { victim.cookie.replaces($0) }
    }

    @discardableResult
    private mutating func removeEntry(_ domain: String, where isIt: (Cookie) -> Bool) -> Entry? {
        guard let index = domains[domain]?.firstIndex(where: { isIt($0.cookie) }),
            let entry = domains[domain]?.remove(at: index)
        else { return nil }
        if domains[domain]?.isEmpty == true { domains[domain] = nil }
        count -= 1
        noteChange(of: entry.cookie)
        return entry
    }

    private mutating func noteChange(of cookie: Cookie) {
        if cookie.isPersistent { persistentVersion += 1 }
    }
}

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
