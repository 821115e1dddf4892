/// What is known while schemas are merged (`allOf`).
struct SchemaMerging {
    /// How many properties all merged schemas have at most: schemas that merge others several times, which do the same,
    /// grow exponentially.
    var maximumProperties = 200_000

    /// The merged schemas that are being read, by place, with the name of those that contain themselves.
    var open: [String: String?] = [:]
    var propertyCount = 0

    /// Whether a schema has to be put together from several.
    static func isNeeded(_ node: DocumentNode) -> Bool {
        if node["allOf"]?.elements.isEmpty == false { return true }
        return SchemaParts.unionMembers(node) != nil && SchemaParts.describesObject(node)
    }

    /// The properties and other shapes of the parts so far.
    struct Parts {
        private static let maximumOthers = 100

        var object = Schema.Object()
        var isObject = false
        var required: [(text: String, node: DocumentNode)] = []
        /// Shapes that aren't objects.
        var others: [Schema] = []
        /// The first part with `oneOf` or `anyOf`.
        var union: DocumentNode?
        var isNullable = false
        /// The schemas that were reached by reference: each counts once.
        var seen: Set<String> = []
        /// Those of them that contain the part that is being added.
        var open: [String] = []
        /// The index of each property.
        var indexes: [String: Int] = [:]

        mutating func addOther(_ schema: Schema) {
            guard others.count < Self.maximumOthers else { return }
            if !others.contains(where: { $0.kind == schema.kind }) { others.append(schema) }
        }
    }

    /// A kind that both kinds allow; `nil` if no value suits both.
    static func common(_ first: Schema, _ second: Schema) -> Schema? {
        switch (first.kind, second.kind) {
        case (let one, let other) where one == other: first
        case (.any, _): second
        case (_, .any): first
        case (.string(let one), .string(let other)):
            Schema(.string(format: one ?? other), place: second.place)
        case (.integer(let one), .integer(let other)), (.integer(let one), .number(let other)),
            (.number(let one), .integer(let other)):
            Schema(.integer(format: one ?? other), place: second.place)
        case (.number(let one), .number(let other)): Schema(.number(format: one ?? other), place: second.place)
        case (.enumeration(let values), .string), (.string, .enumeration(let values)):
            values.isText ? Schema(.enumeration(values), place: second.place) : nil
        case (.enumeration(let values), .integer), (.integer, .enumeration(let values)),
            (.enumeration(let values), .number), (.number, .enumeration(let values)):
            values.isText ? nil : Schema(.enumeration(values), place: second.place)
        case (.enumeration(let one), .enumeration(let other)): common(one, other, place: second.place)
        case (.array(let one), .array(let other)):
            common(one, other).map { Schema(.array($0), place: second.place) }
        case (.dictionary, .object): second
        case (.object, .dictionary): first
        case (.dictionary(let one), .dictionary(let other)):
            common(one, other).map { Schema(.dictionary($0), place: second.place) }
        // A reference that is narrowed by its own words for it: the schema with the name says more.
        case (.reference, .string), (.reference, .integer), (.reference, .number), (.reference, .dictionary),
            (.reference, .object), (.reference, .array), (.reference, .boolean), (.reference, .enumeration):
            first
        case (.string, .reference), (.integer, .reference), (.number, .reference), (.dictionary, .reference),
            (.array, .reference), (.boolean, .reference), (.enumeration, .reference), (.object, .reference):
            second
        case (.reference, .reference), (.union, .reference), (.reference, .union): second
        default: nil
        }
    }

    private static func common(
        _ one: Schema.Enumeration, _ other: Schema.Enumeration, place: SourcePlace?
    ) -> Schema? {
        switch (one.values, other.values) {
        case (.strings(let first), .strings(let second)):
            let allowed = Set(first)
            let both = second.filter { allowed.contains($0) }
            return both.isEmpty ? nil : Schema(.enumeration(.init(values: .strings(both))), place: place)
        case (.integers(let first), .integers(let second)):
            let allowed = Set(first)
            let both = second.filter { allowed.contains($0) }
            return both.isEmpty ? nil : Schema(.enumeration(.init(values: .integers(both))), place: place)
        default: return nil
        }
    }
}
