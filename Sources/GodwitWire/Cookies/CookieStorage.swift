import GodwitSupport

/// The cookies of one jar (RFC 6265bis sections 5.7 and 5.8). A value: no clock, no lock.
package struct CookieStorage: SparseContents {
    /// Maximum cookies of one domain.
    static let limitPerDomain = 180

    /// Maximum cookies in total.
    package static let limit = 3000

    struct Entry: Sendable {
        var cookie: Cookie
        /// Orders cookies that were created at the same moment.
        let order: UInt64
    }

    var domains: [String: [Entry]] = [:]
    /// No cookie expires before this date.
    var nextExpiry = Date.distantFuture
    var lastOrder: UInt64 = 0

    /// The number of cookies.
    package internal(set) var count = 0

    package var isEmpty: Bool { count == 0 }

    let countsSessionCookies: Bool

    /// What a file doesn't have yet; `nil` without a file.
    var changes: Changes?

    /// Changes when a persistent cookie, or any that a file keeps, is stored, replaced or removed, so that a file must be written again.
    package private(set) var persistentVersion = 0

    /// Creates an empty storage.
    ///
    /// - Parameter countsSessionCookies: Whether a file keeps session cookies too.
    package init(countsSessionCookies: Bool = false) {
        self.countsSessionCookies = countsSessionCookies
    }

    /// All cookies in creation order.
    package func all(at now: Date) -> [Cookie] {
        domains.values.joined().filter { !$0.cookie.isExpired(at: now) }
            .sorted { $0.order < $1.order }.map(\.cookie)
    }

    /// Stores a validated cookie, replacing an existing one (steps 23 and 24). An expired cookie only removes the old
    /// one.
    package mutating func insert(_ cookie: Cookie, at now: Date) {
        noteChange(of: cookie.key)
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

    /// Removes the selected cookies, also those that only the file has.
    package mutating func remove(_ selection: Selection) {
        changes?.note(selection)
        if changes != nil { persistentVersion += 1 }
        remove(where: selection.contains)
    }

    /// Removes cookies from here only.
    mutating func remove(where isGone: (Cookie) -> Bool) {
        for (domain, entries) in domains {
            let kept = entries.filter { !isGone($0.cookie) }
            guard kept.count < entries.count else { continue }
            entries.lazy.map(\.cookie).filter(isGone).forEach { noteChange(of: $0) }
            count -= entries.count - kept.count
            domains[domain] = kept.isEmpty ? nil : kept
        }
    }

    /// Removes expired cookies. Free while none has expired.
    mutating func removeExpired(at now: Date) {
        guard now >= nextExpiry else { return }
        remove { $0.isExpired(at: now) }
        nextExpiry = domains.values.joined().compactMap(\.cookie.expires).min() ?? .distantFuture
    }

    /// Evicts excess cookies in the order of section 5.7: insecure ones of the crowded domain, any of that domain, then
    /// any. Within each group, the least recently used go first.
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
        if countsSessionCookies || cookie.isPersistent { persistentVersion += 1 }
    }
}

extension CookieStorage {
    /// The cookies to send with a request to a URL, in order (RFC 6265bis section 5.8.3). Updates their last use.
    package mutating func take(for url: HTTPURL, at now: Date) -> [Cookie] {
        guard count > 0 else { return [] }
        removeExpired(at: now)
        let found = places(for: url)
        for (domain, index) in found { domains[domain]?[index].cookie.lastUsed = now }
        return sorted(found)
    }

    /// The same cookies, without updating their last use.
    package func cookies(for url: HTTPURL, at now: Date) -> [Cookie] {
        sorted(places(for: url)).filter { !$0.isExpired(at: now) }
    }

    /// The value of a `Cookie` field (step 4); `nil` if there are no cookies.
    package static func field(_ cookies: [Cookie]) -> String? {
        guard !cookies.isEmpty else { return nil }
        return cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private func places(for url: HTTPURL) -> [(domain: String, index: Int)] {
        let (host, path, isSecure) = (url.host, url.path, url.origin.isConfidential)
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
