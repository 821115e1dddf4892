/// The hosts that are reached by HTTPS only (RFC 6797 section 8). Times are seconds since 1970.
package struct StrictTransportTable: Sendable, Equatable {
    package struct Entry: Sendable, Hashable {
        package let includesSubdomains: Bool
        package let expires: Double

        package init(includesSubdomains: Bool, expires: Double) {
            self.includesSubdomains = includesSubdomains
            self.expires = expires
        }
    }

    /// A host whose entry is new, or gone.
    package struct Change: Sendable, Hashable {
        package let host: String
        package let entry: Entry?
        /// Whether the entry is only renewed, by at most an hour: each response does that, and a file may be an hour behind.
        package var isSmall = false
    }

    package static let mostHosts = 2048
    private static let smallRenewal = 3600.0

    /// By host in lowercase, without a trailing dot.
    package private(set) var entries: [String: Entry] = [:]

    /// When all entries were last removed at once: no process may add to a file what it learned before.
    package internal(set) var cleared = -Double.infinity

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Whether a host of a URL, or one of its parent domains with `includeSubDomains`, has an entry (section 8.2).
    package func requiresHTTPS(_ host: String, at time: Double) -> Bool {
        guard !entries.isEmpty, Self.canHaveEntry(host) else { return false }
        let candidates = CookieDomain.candidates(for: CookieDomain.withoutRootDot(host))
        return candidates.enumerated().contains { place, name in
            entries[name].map { $0.expires > time && (place == 0 || $0.includesSubdomains) } ?? false
        }
    }

    /// Takes the policy of a response over HTTPS.
    package mutating func learn(_ policy: StrictTransportPolicy, from host: String, at time: Double) -> Change? {
        guard policy.maximumAge > 0 else { return set(nil, for: host, at: time) }
        let entry = Entry(
            includesSubdomains: policy.includesSubdomains, expires: (time + Double(policy.maximumAge)).rounded(.down))
        let known = entries[CookieDomain.withoutRootDot(host)]
        var change = set(entry, for: host, at: time)
        if let known, known.expires > time, known.includesSubdomains == entry.includesSubdomains {
            change?.isSmall = abs(known.expires - entry.expires) <= Self.smallRenewal
        }
        return change
    }

    /// Sets or removes the entry of a host. Returns `nil` if nothing changed, or if the host can't have an entry.
    package mutating func set(_ entry: Entry?, for host: String, at time: Double) -> Change? {
        guard Self.canHaveEntry(host) else { return nil }
        let name = CookieDomain.withoutRootDot(host)
        guard entries[name] != entry else { return nil }
        if entry != nil, entries[name] == nil { makeRoom(for: name, at: time) }
        entries[name] = entry
        return Change(host: name, entry: entry)
    }

    /// Removes all entries.
    package mutating func clear(at time: Double) {
        entries = [:]
        cleared = max(cleared, time)
    }

    /// Applies changes to what a file has.
    package mutating func apply(_ changes: some Sequence<Change>, at time: Double) {
        for change in changes { _ = set(change.entry, for: change.host, at: time) }
    }

    /// An address never has one (section 8.1.1). Nor has a name of this machine: all its development servers would have to
    /// speak TLS, at any port, because one did.
    static func canHaveEntry(_ host: String) -> Bool {
        let name = CookieDomain.withoutRootDot(host)
        return !name.isEmpty && name.utf8.count <= 253 && !CookieDomain.isAddress(name)
            && !Origin(scheme: .https, host: name, port: 443).isLoopback
    }

    /// Removes expired entries, or else one of the site that has most: hosts of one site can't push out those of others.
    private mutating func makeRoom(for newcomer: String, at time: Double) {
        guard entries.count >= Self.mostHosts else { return }
        entries = entries.filter { $0.value.expires > time }
        guard entries.count >= Self.mostHosts else { return }
        let sites = Dictionary(grouping: entries.keys, by: Self.site)
        let own = Self.site(newcomer)
        let largest = sites.max { left, right in
            (left.value.count, left.key == own ? 1 : 0) < (right.value.count, right.key == own ? 1 : 0)
        }
        let first = largest?.value.min { (entries[$0]?.expires ?? 0, $0) < (entries[$1]?.expires ?? 0, $1) }
        if let first { entries[first] = nil }
    }

    /// The last two labels.
    private static func site(_ host: String) -> String {
        host.split(separator: ".").suffix(2).joined(separator: ".")
    }
}
