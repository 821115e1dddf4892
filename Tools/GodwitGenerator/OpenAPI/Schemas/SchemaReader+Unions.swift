extension SchemaReader {
    /// `oneOf` and `anyOf`: what remains of the members without null and without those that others include.
    mutating func union(_ node: DocumentNode, _ members: [DocumentNode], type: String?) -> Schema {
        let types = Nullability.types(node).filter { $0 != "null" }
        let outer = types.count == 1 ? types.first : types.isEmpty ? type : nil
        var parts = UnionParts()
        let isValue = outer != nil && outer != "object" && outer != "array"
        for member in members where isValue || SchemaParts.saysShape(member) {
            if isNull(member) { parts.isNullable = true } else { parts.add(schema(member, type: outer)) }
        }
        var schema = parts.schema
        if case .union(var union) = schema.kind {
            union.discriminator = discriminator(node, union.members.map(Self.referenceName))
            union.allowsSeveral = node["oneOf"] == nil
            schema.kind = .union(union)
        }
        return schema
    }

    /// Whether a member of a union allows nothing but null, also by reference.
    private mutating func isNull(_ member: DocumentNode) -> Bool {
        var member = member
        for _ in 0..<SchemaCompletion.maximumDepth {
            guard let reference = member["$ref"]?.string,
                let target = try? documents.target(of: reference, in: member.place.file)
            else { break }
            member = target.node
        }
        return Nullability.isNull(member)
    }

    private static func referenceName(_ schema: Schema) -> String? {
        if case .reference(let name) = schema.kind { name } else { nil }
    }

    /// The discriminator with the values that the document maps; ``SchemaCompletion`` finds those of other members.
    ///
    /// - Parameter names: The names of the members; `nil` for those without.
    mutating func discriminator(_ node: DocumentNode, _ names: [String?]) -> Schema.Discriminator? {
        guard let discriminator = node["discriminator"] else { return nil }
        guard let property = discriminator["propertyName"]?.text else {
            note("the discriminator is ignored: it has no `propertyName`", discriminator)
            return nil
        }
        var result = Schema.Discriminator(property: property, values: [])
        for entry in discriminator["mapping"]?.members ?? [] {
            guard let name = mappedName(entry.value) else { continue }
            if let member = names.firstIndex(of: name) {
                result.values.append(Schema.Discriminator.Value(value: entry.key, member: member))
            } else {
                note(
                    "the value `\(entry.key)` of the discriminator is ignored: `\(name)` is not in the union",
                    entry.value)
            }
        }
        return result
    }

    /// The name of the schema that a mapping has: a name or a reference.
    private mutating func mappedName(_ node: DocumentNode) -> String? {
        guard let text = node.string else { return target(of: node).map { name(of: $0) } }
        let file = documents.root.place.file
        if let name = names[file + "#/components/schemas/" + JSONPointer.escaped(text)] { return name }
        return target(of: node).map { name(of: $0) }
    }
}
