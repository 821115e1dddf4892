extension SchemaReader {
    /// An object with properties, or a dictionary if it has none.
    mutating func object(_ node: DocumentNode) -> Schema {
        let properties = properties(of: node)
        let additional = additional(of: node)
        guard !properties.isEmpty else {
            let isClosed = node["additionalProperties"]?.bool == false && additional == nil
            return Schema(isClosed ? .object(Schema.Object()) : .dictionary(additional ?? Schema(.any)))
        }
        let required = required(of: node)
        let names = Set(properties.map(\.name))
        for name in required where !names.contains(name.text) {
            note("the required property `\(name.text)` is left out: it is not described", name.node)
        }
        return Schema(.object(Schema.Object(properties: properties, additional: additional)))
    }

    /// The properties of a schema alone, in document order.
    mutating func properties(of node: DocumentNode) -> [Schema.Property] {
        guard var properties = node["properties"] else { return [] }
        // A property is an object, so that a text is a reference in place of all properties.
        if let reference = properties["$ref"], reference.string != nil, let target = target(of: reference) {
            properties = target.node
        }
        guard properties.isObject else {
            note("`properties` has to be an object, but is \(properties.kindName)", properties)
            return []
        }
        let required = Set(required(of: node).map(\.text))
        return properties.members.map { member in
            Schema.Property(
                name: member.key, schema: schema(member.value), isRequired: required.contains(member.key),
                isReadOnly: hasFlag("readOnly", member.value), isWriteOnly: hasFlag("writeOnly", member.value)
            )
        }
    }

    /// Whether a flag is on a schema, on a part of its `allOf` (where 3.0 writes what belongs to a reference), or on
    /// what it refers to.
    private mutating func hasFlag(_ key: String, _ node: DocumentNode) -> Bool {
        if let flag = node[key]?.bool { return flag }
        for part in [node] + (node["allOf"]?.elements ?? []) {
            if part[key]?.bool == true { return true }
            guard let reference = part["$ref"]?.string else { continue }
            let target = try? documents.target(of: reference, in: part.place.file)
            if target?.node[key]?.bool == true { return true }
        }
        return false
    }

    /// The names in `required` with their places.
    mutating func required(of node: DocumentNode) -> [(text: String, node: DocumentNode)] {
        guard let required = node["required"] else { return [] }
        guard case .array(let elements) = required.value else {
            // `required: true` on a property is a mistake that is often made, and says nothing about the members.
            if required.bool == nil { note("`required` has to be a list, but is \(required.kindName)", required) }
            return []
        }
        return elements.compactMap { element in element.text.map { ($0, element) } }
    }

    /// The shape of members that aren't properties; `nil` if nothing is said about them.
    mutating func additional(of node: DocumentNode) -> Schema? {
        if let additional = node["additionalProperties"] {
            if additional.isObject { return schema(additional) }
            if additional.bool == true { return Schema(.any, place: additional.place) }
        }
        let patterns = node["patternProperties"]?.members ?? []
        guard !patterns.isEmpty else { return nil }
        if node["properties"]?.members.isEmpty == false, node["additionalProperties"]?.bool != false {
            note("`patternProperties` doesn't change the type: members of other names can have any value", node)
            return Schema(.any, place: node.place)
        }
        var parts = UnionParts()
        for pattern in patterns { parts.add(schema(pattern.value)) }
        return parts.schema
    }
}
