extension SchemaReader {
    /// A schema put together from `allOf`, from its own properties beside it, and from what is beside a reference.
    mutating func merged(_ node: DocumentNode) -> Schema {
        if let reference = loneReference(node) { return reference }
        let key = node.place.description
        if let open = merging.open[key] {
            // The schema contains itself: it needs a name to refer to.
            let name = open ?? names.unique(SchemaNames.hint(JSONPointer(node.place.pointer)?.tokens ?? []))
            merging.open[key] = .some(.some(name))
            return Schema(.reference(name), place: node.place)
        }
        merging.open[key] = .some(nil)
        var parts = SchemaMerging.Parts()
        collect(node, into: &parts)
        let schema = combined(parts, node)
        guard let name = merging.open.removeValue(forKey: key) ?? nil else { return schema }
        named.append(APIDescription.NamedSchema(name: name, schema: schema))
        return Schema(.reference(name), isNullable: schema.isNullable, place: node.place)
    }

    /// The only part of a schema that says something about its shape: a reference stays one.
    private mutating func loneReference(_ node: DocumentNode) -> Schema? {
        guard !SchemaParts.hasStructure(node, besides: "allOf") || Nullability.types(node) == ["object"] else {
            return nil
        }
        guard !SchemaParts.describesObject(node), node["oneOf"] == nil, node["anyOf"] == nil else { return nil }
        let parts = node["allOf"]?.elements ?? []
        let rest = parts.filter { SchemaParts.hasStructure($0) || $0["required"] != nil }
        guard rest.count == 1, node["required"] == nil, let part = rest.first, node["$ref"] == nil else { return nil }
        var result = schema(part)
        result.isNullable = result.isNullable || parts.contains { $0["nullable"]?.bool == true }
        if let words = parts.first(where: { $0["description"] != nil && $0["$ref"] == nil })?["description"]?.text {
            result.summary = words
        }
        return result
    }

    /// Adds what a schema says to the parts, with what it refers to and its own `allOf`.
    mutating func collect(_ node: DocumentNode, into parts: inout SchemaMerging.Parts) {
        guard node.isObject else { return }
        guard parts.depth < Self.maximumDepth else {
            note("`allOf` is nested too deep; this part is left out", node)
            return
        }
        parts.depth += 1
        defer { parts.depth -= 1 }
        if let reference = node["$ref"] { collect(reference: reference, into: &parts) }
        for part in node["allOf"]?.elements ?? [] { collect(part, into: &parts) }
        if node["nullable"]?.bool == true, parts.depth > 1, !SchemaParts.hasStructure(node) { parts.isNullable = true }
        if SchemaParts.unionMembers(node) != nil {
            if parts.union == nil {
                parts.union = node
            } else {
                note("only one `oneOf` or `anyOf` is read in `allOf`; this one is left out", node)
            }
        }
        collect(own: node, into: &parts)
    }

    private mutating func collect(reference: DocumentNode, into parts: inout SchemaMerging.Parts) {
        guard let target = target(of: reference), parts.seen.insert(target.key).inserted else { return }
        guard Self.isNamedValue(target.node) else { return collect(target.node, into: &parts) }
        // Enumerations and the like keep their names.
        parts.addOther(Schema(.reference(name(of: target)), place: reference.place))
    }

    /// Whether a schema is an enumeration, text, a number, a boolean or an array.
    private static func isNamedValue(_ node: DocumentNode) -> Bool {
        let types = Nullability.types(node).filter { $0 != "null" }
        return node["enum"] != nil || node["const"] != nil || types.count == 1 && types != ["object"]
    }

    /// Adds what a schema says without others.
    private mutating func collect(own node: DocumentNode, into parts: inout SchemaMerging.Parts) {
        parts.required += required(of: node)
        let types = Nullability.types(node).filter { $0 != "null" }
        let isObject = types == ["object"] || types.isEmpty && SchemaParts.inferredType(node) == "object"
        guard isObject else {
            let composition: Set<String> = ["$ref", "allOf", "oneOf", "anyOf"]
            let own = node.members.filter { !composition.contains($0.key) }
            let rest = DocumentNode(value: .object(own), place: node.place)
            if SchemaParts.hasStructure(rest) { parts.addOther(typed(rest)) }
            return
        }
        parts.isObject = true
        for property in properties(of: node) { add(property, to: &parts, node) }
        if let additional = additional(of: node), parts.object.additional == nil {
            parts.object.additional = additional
        }
    }

    private mutating func add(
        _ property: Schema.Property, to parts: inout SchemaMerging.Parts, _ node: DocumentNode
    ) {
        guard let index = parts.indexes[property.name] else {
            merging.propertyCount += 1
            guard merging.propertyCount <= SchemaMerging.maximumProperties else {
                if merging.propertyCount == SchemaMerging.maximumProperties + 1 {
                    note("the merged schemas have more than 500,000 properties; the rest is left out", node)
                }
                return
            }
            parts.indexes[property.name] = parts.object.properties.count
            parts.object.properties.append(property)
            return
        }
        var both = parts.object.properties[index]
        both.isRequired = both.isRequired || property.isRequired
        both.isReadOnly = both.isReadOnly || property.isReadOnly
        both.isWriteOnly = both.isWriteOnly || property.isWriteOnly
        both.schema = common(both.schema, property, node)
        parts.object.properties[index] = both
    }

    /// What two parts say about the same property.
    private mutating func common(_ first: Schema, _ property: Schema.Property, _ node: DocumentNode) -> Schema {
        let second = property.schema
        guard var both = Self.joined(first, second) else {
            notes.append(
                Note(
                    .omission,
                    "`allOf` contradicts itself: `\(property.name)` is \(first.kindName) and \(second.kindName); it is read as any JSON",
                    at: second.place ?? node.place))
            return Schema(.any, place: second.place)
        }
        both.isNullable = first.isNullable && second.isNullable
        both.title = second.title ?? first.title
        both.summary = second.summary ?? first.summary
        both.isDeprecated = first.isDeprecated || second.isDeprecated
        both.defaultValue = second.defaultValue ?? first.defaultValue
        both.examples = second.examples.isEmpty ? first.examples : second.examples
        both.place = second.place
        return both
    }

    /// Like ``SchemaMerging/common(_:_:)``, with the properties of two objects together.
    private static func joined(_ first: Schema, _ second: Schema) -> Schema? {
        guard case .object(var object) = first.kind, case .object(let other) = second.kind else {
            return SchemaMerging.common(first, second)
        }
        var indexes: [String: Int] = [:]
        for (index, property) in object.properties.enumerated() { indexes[property.name] = index }
        for property in other.properties {
            guard let index = indexes[property.name] else {
                object.properties.append(property)
                continue
            }
            guard let schema = joined(object.properties[index].schema, property.schema) else { return nil }
            object.properties[index].schema = schema
            object.properties[index].isRequired = object.properties[index].isRequired || property.isRequired
        }
        object.additional = object.additional ?? other.additional
        return Schema(.object(object), place: second.place)
    }
}
