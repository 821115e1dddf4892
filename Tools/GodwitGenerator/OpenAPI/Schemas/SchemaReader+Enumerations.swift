extension SchemaReader {
    /// `enum` and `const`: some of all strings or integers; other values leave only their type.
    mutating func enumeration(_ node: DocumentNode, _ values: [DocumentNode], type: String?) -> Schema {
        let types = Nullability.types(node).filter { $0 != "null" }
        let type = types.count == 1 ? types.first : types.isEmpty ? type : nil
        let all = Array(values.enumerated().filter { !$0.element.isNull })
        guard !all.isEmpty else {
            if values.isEmpty { note("`enum` has no value; only the type counts", node) }
            return bare(node, type: type)
        }
        if let strings = Self.strings(all.map(\.element), type: type) {
            return described(node, all.map(\.offset), strings, count: values.count) { .strings($0) }
        }
        if type != "number", let integers = Self.integers(all.map(\.element), type: type) {
            return described(node, all.map(\.offset), integers, count: values.count) { .integers($0) }
        }
        let common = Self.commonType(all.map(\.element))
        if node["enum"] == nil {
            note("`const` is left out: only text and integers become constants", node)
        } else if common != "boolean" || all.count == 1 {
            note("the values of `enum` are neither all text nor all integers; only their type counts", node)
        }
        return bare(node, type: type ?? common)
    }

    /// The schema without its values.
    private mutating func bare(_ node: DocumentNode, type: String?) -> Schema {
        let members = node.members.filter { $0.key != "enum" && $0.key != "const" }
        var schema = typed(DocumentNode(value: .object(members), place: node.place), type: type)
        if case .integer = schema.kind, SchemaParts.exceedsInt64(node) { schema.kind = .integer(format: "uint64") }
        return schema
    }

    /// The values as text. If they are said to be text, numbers and booleans count too: YAML needs quotes for `1`.
    private static func strings(_ values: [DocumentNode], type: String?) -> [String]? {
        let strings = values.compactMap { type == "string" ? $0.text : $0.string }
        return strings.count == values.count && (type ?? "string") == "string" ? strings : nil
    }

    private static func integers(_ values: [DocumentNode], type: String?) -> [Int]? {
        let integers = values.compactMap { type == "integer" ? $0.text.flatMap { Int($0) } : $0.integer }
        return integers.count == values.count && (type ?? "integer") == "integer" ? integers : nil
    }

    /// The type that all values have; `nil` if they differ.
    private static func commonType(_ values: [DocumentNode]) -> String? {
        let types = Set(
            values.map { value in
                switch value.value {
                case .bool: "boolean"
                case .number: "number"
                case .string: "string"
                case .array: "array"
                case .object: "object"
                case .null: ""
                }
            })
        return types.count == 1 ? types.first : nil
    }

    /// An enumeration with each value once, with the names and words that extensions have for them.
    private mutating func described<Value: Hashable>(
        _ node: DocumentNode, _ offsets: [Int], _ values: [Value], count: Int,
        _ wrap: ([Value]) -> Schema.Enumeration.Values
    ) -> Schema {
        var seen: Set<Value> = []
        let unique = values.indices.filter { seen.insert(values[$0]).inserted }
        func texts(_ keys: [String]) -> [String] {
            for key in keys {
                let texts = node[key]?.elements.compactMap(\.text) ?? []
                if !texts.isEmpty, texts.count == count { return unique.map { texts[offsets[$0]] } }
                // Names of the values that aren't null.
                if !texts.isEmpty, texts.count == values.count { return unique.map { texts[$0] } }
                if !texts.isEmpty { note("`\(key)` is ignored: it doesn't have one text for each value", node) }
            }
            return []
        }
        return Schema(
            .enumeration(
                Schema.Enumeration(
                    values: wrap(unique.map { values[$0] }), names: texts(["x-enum-varnames", "x-enumNames"]),
                    summaries: texts(["x-enum-descriptions", "x-enumDescriptions"]))))
    }
}
