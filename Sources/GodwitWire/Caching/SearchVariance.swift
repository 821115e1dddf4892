/// The parts of a query that don't affect a response, as its `No-Vary-Search` field says (draft-ietf-httpbis-no-vary-search).
package struct SearchVariance: Sendable, Hashable {
    private enum Parameters: Sendable, Hashable {
        /// All but these matter. Names are encoded as in a form: Swift compares other text by canonical equivalence.
        case ignored(Set<String>)
        /// Only these matter.
        case only(Set<String>)
    }

    private let parameters: Parameters
    private let ignoresOrder: Bool

    /// The most bytes of a field that is read.
    static let longestField = 4096
    /// The most bytes of a query that is compared with others.
    static let longestQuery = 4096

    /// The rule of a response; `nil` if the whole query matters: without the field, and with an invalid one.
    package init?(_ fields: HTTPFields) {
        guard let value = fields[.noVarySearch], value.utf8.count <= Self.longestField,
            let members = StructuredParser.dictionary(value), let order = Self.boolean(members["key-order"]),
            let parameters = Self.parameters(members)
        else { return nil }
        self.parameters = parameters
        ignoresOrder = order
        if !ignoresOrder, parameters == .ignored([]) { return nil }
    }

    /// What two queries have in common if they are equivalent. `nil` for a query that is too long.
    package func key(of query: String?) -> String? {
        let query = query ?? ""
        guard query.utf8.count <= Self.longestQuery else { return nil }
        var items = FormURLEncoded.decode(query).items.map { item in
            (name: FormURLEncoded.encode(item.name), value: FormURLEncoded.encode(item.value ?? ""))
        }
        items.removeAll { !matters($0.name) }
        if ignoresOrder {
            // Items of one name keep their order.
            items = items.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
                .map(\.element)
        }
        return items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Whether a response for one URL is one for the other, too.
    package func equates(_ one: HTTPURL, _ other: HTTPURL) -> Bool {
        if one == other { return true }
        guard one.origin == other.origin, one.path == other.path, let key = key(of: one.query) else { return false }
        return key == self.key(of: other.query)
    }

    private func matters(_ name: String) -> Bool {
        switch parameters {
        case .ignored(let names): !names.contains(name)
        case .only(let names): names.contains(name)
        }
    }

    /// `nil` if the members contradict each other.
    private static func parameters(_ members: StructuredDictionary) -> Parameters? {
        guard let except = members["except"] else {
            guard let value = members["params"] else { return .ignored([]) }
            if let ignoresAll = boolean(value) { return ignoresAll ? .only([]) : .ignored([]) }
            return names(value).map { .ignored($0) }
        }
        guard boolean(members["params"]) == true else { return nil }
        return names(except).map { .only($0) }
    }

    /// `false` for a missing member, `nil` for one of another type.
    private static func boolean(_ member: StructuredMember?) -> Bool? {
        guard let member else { return false }
        guard case .item(let item) = member, case .boolean(let value) = item.value else { return nil }
        return value
    }

    /// The names of an inner list of strings, each written as in a form.
    private static func names(_ member: StructuredMember) -> Set<String>? {
        guard case .innerList(let list) = member else { return nil }
        var names: Set<String> = []
        for item in list.items {
            guard case .string(let written) = item.value else { return nil }
            names.insert(FormURLEncoded.encode(FormURLEncoded.decode(written[...].utf8)))
        }
        return names
    }
}
