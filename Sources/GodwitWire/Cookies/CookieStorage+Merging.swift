// Several processes can use the file of a jar. Each applies its own changes to what the file has.
extension CookieStorage {
    /// Which cookies to remove.
    package enum Selection: Sendable, Hashable {
        case cookie(Cookie.Key)
        /// Those of a host or domain, and of its subdomains.
        case domain(String)
        case sessionCookies
        case everything

        func contains(_ cookie: Cookie) -> Bool {
            switch self {
            case .cookie(let key): cookie.key == key
            case .domain(let domain): CookieDomain.matches(cookie.domain, domain)
            case .sessionCookies: !cookie.isPersistent
            case .everything: true
            }
        }
    }

    /// What was set and removed here since the file was written, each with its number in the sequence of changes.
    ///
    /// Cookies that expired, or were removed to make room, are not changes: another process may have renewed them.
    struct Changes: Sendable {
        private(set) var cookies: [Cookie.Key: Int] = [:]
        private(set) var removals: [Selection: Int] = [:]
        private(set) var last = 0

        mutating func note(_ key: Cookie.Key) {
            last += 1
            cookies[key] = last
        }

        mutating func note(_ selection: Selection) {
            if case .cookie(let key) = selection { return note(key) }
            last += 1
            removals[selection] = last
        }

        func contains(_ key: Cookie.Key) -> Bool { cookies[key] != nil }

        func removes(_ cookie: Cookie) -> Bool { removals.keys.contains { $0.contains(cookie) } }

        /// Forgets what a file has.
        mutating func forget(upTo number: Int) {
            cookies = cookies.filter { $0.value > number }
            removals = removals.filter { $0.value > number }
        }

        /// Forgets the cookies that were removed here.
        mutating func forgetRemoved(_ kept: Set<Cookie.Key>) {
            cookies = cookies.filter { kept.contains($0.key) }
        }
    }

    /// From now on, changes are noted for a file, which has all of these cookies.
    package mutating func startNotingChanges() { changes = Changes() }

    /// The cookies of a file, with the changes that were made here.
    package func applied(to stored: [Cookie], at now: Date) -> CookieStorage {
        let changes = changes ?? Changes()
        var result = CookieStorage(countsSessionCookies: countsSessionCookies)
        let own = Dictionary(all(at: now).map { ($0.key, $0) }) { first, _ in first }
        for var cookie in stored where !changes.removes(cookie) {
            let known = own[cookie.key]
            if known == nil, changes.contains(cookie.key) { continue }
            if let known { cookie.lastUsed = max(cookie.lastUsed, known.lastUsed) }
            result.insert(cookie, at: now)
        }
        // These take the places of what they replace.
        for cookie in all(at: now) where changes.contains(cookie.key) { result.insert(cookie, at: now) }
        return result
    }

    /// Takes what a file has after a write, with the changes that were made here since.
    ///
    /// - Parameter former: The cookies whose changes were written.
    package mutating func adopt(_ written: CookieStorage, after former: CookieStorage, at now: Date) {
        changes?.forget(upTo: former.changes?.last ?? 0)
        let changes = changes ?? Changes()
        var result = written
        result.remove { changes.contains($0.key) || changes.removes($0) }
        for cookie in all(at: now) where changes.contains(cookie.key) || !isKept(cookie) {
            result.insert(cookie, at: now)
        }
        domains = result.domains
        count = result.count
        nextExpiry = result.nextExpiry
        lastOrder = result.lastOrder
    }

    /// Notes that a cookie is set or removed by what is done now.
    mutating func noteChange(of key: Cookie.Key) {
        changes?.note(key)
        // A file that can't be written must not make this grow with what servers send.
        guard let changes, changes.cookies.count > 2 * Self.limit else { return }
        self.changes?.forgetRemoved(Set(domains.values.joined().map(\.cookie.key)))
    }

    /// Whether the file has such cookies.
    private func isKept(_ cookie: Cookie) -> Bool { countsSessionCookies || cookie.isPersistent }
}
