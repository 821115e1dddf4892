/// Which requests a response is a compression dictionary for: its `Use-As-Dictionary` field (RFC 9842 section 2.1).
///
/// `match-dest` is ignored: this client has no destinations, so that every list of them matches (section 2.1.2).
package struct DictionaryRule: Sendable, Hashable {
    /// The most bytes of a field that is read.
    static let longestField = 4096
    private static let longestID = 1024

    let pattern: URLPattern
    /// The length of the pattern: of several that match, the longest wins (section 2.2.3).
    let specificity: Int
    /// What the server calls the dictionary; empty for nothing.
    package let id: String

    /// The rule of a response; `nil` for one that is not a dictionary, or one that can't be used.
    package init?(_ fields: HTTPFields, of url: HTTPURL) {
        guard let value = fields[.useAsDictionary], value.utf8.count <= Self.longestField,
            let members = StructuredParser.dictionary(value), Self.isRaw(members["type"]),
            case .string(let match) = Self.value(members["match"]),
            let pattern = URLPattern(match, relativeTo: url), let id = Self.id(members["id"])
        else { return nil }
        self.pattern = pattern
        specificity = match.utf8.count
        self.id = id
    }

    private static func value(_ member: StructuredMember?) -> StructuredBareItem? {
        guard case .item(let item) = member else { return nil }
        return item.value
    }

    /// Other types can't be used (section 2.1.4).
    private static func isRaw(_ member: StructuredMember?) -> Bool {
        member == nil || value(member) == .token("raw")
    }

    /// `nil` if it can't be sent back.
    private static func id(_ member: StructuredMember?) -> String? {
        guard let member else { return "" }
        guard case .string(let id) = value(member), id.utf8.count <= longestID else { return nil }
        return id
    }
}

/// The stored responses that are dictionaries, by what their fields said: a hint where to look.
///
/// Bounded in bytes and per origin, so that a server can't fill the memory or make each request compare many patterns.
package struct DictionaryIndex: Sendable {
    private struct Candidate: Sendable {
        let url: HTTPURL
        let rule: DictionaryRule
        let time: Date
    }

    /// The most dictionaries of one origin.
    static let mostOfOrigin = 32

    private var origins = LRUCache<Origin, [Candidate]>(limit: 4 << 20)

    /// Its approximate size in bytes.
    var byteCount: Int { origins.byteCount }

    package init() {}

    /// Notes a response that may be stored.
    package mutating func note(_ url: HTTPURL, _ fields: HTTPFields, at time: Date) {
        let rule = fields.contains(.useAsDictionary) ? DictionaryRule(fields, of: url) : nil
        var candidates = origins.value(for: url.origin) ?? []
        guard rule != nil || candidates.contains(where: { $0.url == url }) else { return }
        candidates.removeAll { $0.url == url }
        if let rule { candidates.insert(Candidate(url: url, rule: rule, time: time), at: 0) }
        store(candidates, for: url.origin)
    }

    /// Forgets what is no longer stored.
    package mutating func remove(_ url: HTTPURL) {
        guard let candidates = origins.value(for: url.origin) else { return }
        store(candidates.filter { $0.url != url }, for: url.origin)
    }

    /// Where the dictionaries for a request may be stored, the best first (section 2.2.3).
    package mutating func urls(for request: HTTPURL) -> [HTTPURL] {
        (origins.value(for: request.origin) ?? [])
            .filter { $0.rule.pattern.matches(request) }
            .sorted { ($0.rule.specificity, $0.time) > ($1.rule.specificity, $1.time) }
            .map(\.url)
    }

    private mutating func store(_ candidates: [Candidate], for origin: Origin) {
        guard !candidates.isEmpty else { return origins.remove(origin) }
        let candidates = Array(candidates.prefix(Self.mostOfOrigin))
        // An automaton takes some dozens of bytes for each of its pattern.
        let size = candidates.reduce(256) { $0 + 64 * $1.rule.specificity + 4 * $1.url.absoluteString.utf8.count }
        origins.insert(candidates, byteCount: size, for: origin)
    }
}
