extension SchemaReader {
    /// The schema that parts make together.
    mutating func combined(_ parts: SchemaMerging.Parts, _ node: DocumentNode) -> Schema {
        var schema = parts.union.map { combined(parts, with: $0, node) } ?? single(parts, node)
        schema.isNullable = schema.isNullable || parts.isNullable
        return schema
    }

    /// Parts without a union: an object or another value.
    private mutating func single(_ parts: SchemaMerging.Parts, _ node: DocumentNode) -> Schema {
        let others = parts.others.filter { $0.kind != .any }
        guard parts.isObject, !parts.object.properties.isEmpty || others.isEmpty else {
            return value(others, isObject: parts.isObject, node)
        }
        let conflict = others.first { other in
            switch other.kind {
            case .object, .dictionary: false
            default: true
            }
        }
        if let conflict { return contradiction("an object and \(conflict.kindName)", node) }
        var object = parts.object
        guard !object.properties.isEmpty else { return Schema(.dictionary(object.additional ?? Schema(.any))) }
        for required in parts.required {
            guard let index = parts.indexes[required.text] else {
                note("the required property `\(required.text)` is left out: it is not described", required.node)
                continue
            }
            object.properties[index].isRequired = true
        }
        return Schema(.object(object))
    }

    private mutating func value(_ others: [Schema], isObject: Bool, _ node: DocumentNode) -> Schema {
        // Two enumerations allow what both have, also if they have names.
        let narrowed = others.map { narrowable($0) }
        let others = narrowed.count(where: { $0.enumeration != nil }) > 1 ? narrowed : others
        guard var result = others.first else { return Schema(.any) }
        for other in others.dropFirst() {
            guard let both = SchemaMerging.common(result, other) else {
                return contradiction("\(result.kindName) and \(other.kindName)", node)
            }
            result = both
        }
        switch result.kind {
        case .reference, .object, .dictionary, .union: return result
        default: return isObject ? contradiction("an object and \(result.kindName)", node) : result
        }
    }

    private mutating func contradiction(_ kinds: String, _ node: DocumentNode) -> Schema {
        note("`allOf` contradicts itself: the value is \(kinds); it is read as any JSON", node)
        return Schema(.any)
    }

    /// Parts with a union: what is common belongs to each member.
    private mutating func combined(
        _ parts: SchemaMerging.Parts, with union: DocumentNode, _ node: DocumentNode
    ) -> Schema {
        let members = (SchemaParts.unionMembers(union) ?? []).filter(SchemaParts.saysShape)
        guard parts.isObject || !parts.others.isEmpty || !parts.required.isEmpty else {
            return self.union(union, members, type: nil)
        }
        var (schemas, names): ([Schema], [String?]) = ([], [])
        for member in members where !Nullability.isNull(member) {
            var target: DocumentSet.Target?
            if let reference = member["$ref"] { target = self.target(of: reference) }
            let name = target.flatMap { self.names[$0.key] }
            names.append(name)
            if let name, let target, union.place == node.place, ancestors(of: target.node).contains(Self.key(of: node))
            {
                // The member has what is common anyway.
                schemas.append(Schema(.reference(name), place: member.place))
                continue
            }
            var both = parts
            both.union = nil
            collect(member, into: &both)
            var schema = combined(both, member)
            schema.title = member["title"]?.text ?? name
            schema.summary = member["description"]?.text ?? target?.node["description"]?.text
            schema.place = member.place
            schemas.append(schema)
        }
        return alternatives(schemas, names, of: union) ?? single(parts, node)
    }

    /// A union of schemas that have what is common to all; `nil` without any schema.
    private mutating func alternatives(_ schemas: [Schema], _ names: [String?], of union: DocumentNode) -> Schema? {
        guard let first = schemas.first else { return nil }
        var result = first
        if schemas.contains(where: { $0.kind == .any }) {
            result = Schema(.any)
        } else if schemas.count > 1 {
            result = Schema(
                .union(
                    Schema.Union(
                        members: schemas, discriminator: discriminator(union, names),
                        allowsSeveral: union["oneOf"] == nil)))
        }
        result.isNullable =
            result.isNullable || SchemaParts.unionMembers(union)?.contains(where: Nullability.isNull) == true
        return result
    }

    /// The schemas to which the `allOf` of one refers, and to which those refer, up to eight steps.
    mutating func ancestors(of node: DocumentNode) -> Set<String> {
        var found: Set<String> = []
        var level = [node]
        for _ in 0..<8 {
            var next: [DocumentNode] = []
            for part in level.flatMap({ $0["allOf"]?.elements ?? [] }) {
                guard let reference = part["$ref"]?.string,
                    let target = try? documents.target(of: reference, in: part.place.file),
                    found.insert(target.key).inserted
                else { continue }
                next.append(target.node)
            }
            level = next
        }
        return found
    }
}
