extension SchemaReader {
    /// A schema, wherever it is.
    ///
    /// - Parameter type: The type of what surrounds a member of a union, for members that don't say theirs.
    mutating func schema(_ node: DocumentNode, type: String? = nil) -> Schema {
        guard node.isObject else {
            if node.bool != true { note("a schema has to be an object, but this is \(node.kindName)", node) }
            return Schema(.any, place: node.place)
        }
        guard counts(node) else { return Schema(.any, place: node.place) }
        if let name = sharedName(of: node) {
            var schema = Schema(.reference(name), place: node.place)
            describe(&schema, node)
            return schema
        }
        guard depth < Self.maximumDepth else {
            note("the schema is nested too deep; it is read as any JSON", node)
            return Schema(.any, place: node.place)
        }
        depth += 1
        defer { depth -= 1 }
        var schema = shape(node, type: type)
        describe(&schema, node)
        return schema
    }

    /// What a node says about a schema apart from its shape. Words of an inner schema stay if the outer one has none.
    private func describe(_ schema: inout Schema, _ node: DocumentNode) {
        schema.isNullable = schema.isNullable || Nullability.allowsNull(node)
        schema.title = node["title"]?.text ?? schema.title
        schema.summary = node["description"]?.text ?? schema.summary
        schema.isDeprecated = node["deprecated"]?.bool ?? schema.isDeprecated
        schema.defaultValue = node["default"] ?? schema.defaultValue
        let examples = (node["examples"]?.elements ?? []) + (node["example"].map { [$0] } ?? [])
        if !examples.isEmpty { schema.examples = examples }
        schema.place = node.place
    }

    private mutating func shape(_ node: DocumentNode, type: String?) -> Schema {
        if let reference = node["$ref"] {
            // Before 3.1, what accompanies a reference doesn't count.
            if version != .v30, SchemaParts.hasStructure(node, besides: "$ref") { return merged(node) }
            return self.reference(reference)
        }
        if let reference = node["$recursiveRef"] ?? node["$dynamicRef"] { return recursiveReference(reference) }
        if let hierarchy = hierarchy(node) { return hierarchy }
        if SchemaMerging.isNeeded(node) { return merged(node) }
        if let members = SchemaParts.unionMembers(node) { return union(node, members, type: type) }
        return typed(node, type: type)
    }

    /// A reference to a schema with a name.
    mutating func reference(_ reference: DocumentNode) -> Schema {
        guard let target = target(of: reference) else { return Schema(.any, place: reference.place) }
        return Schema(.reference(name(of: target)), place: reference.place)
    }

    /// A reference to the schema that contains it (`$recursiveRef` of 2019-09), or to an anchor.
    private mutating func recursiveReference(_ reference: DocumentNode) -> Schema {
        guard let current, (reference.string ?? "#") == "#" else { return self.reference(reference) }
        return Schema(.reference(current), place: reference.place)
    }

    /// A schema without references and composition.
    mutating func typed(_ node: DocumentNode, type: String? = nil) -> Schema {
        if let discriminator = node["discriminator"] {
            note("the discriminator is ignored: it needs `oneOf` or `anyOf` next to it", discriminator)
        }
        if let constant = node["const"], !constant.isNull { return enumeration(node, [constant], type: type) }
        if let values = node["enum"] { return enumeration(node, values.elements, type: type) }
        let types = Nullability.types(node).filter { $0 != "null" }
        if types.count > 1 {
            var parts = UnionParts()
            for type in types { parts.add(single(node, type)) }
            return parts.schema
        }
        if let type = types.first { return single(node, type) }
        if let known = node["type"], !known.isNull, known.elements.isEmpty, known.string == nil {
            note("`type` has to be text or a list of texts, but is \(known.kindName)", known)
        }
        return (type ?? SchemaParts.inferredType(node)).map { single(node, $0) } ?? Schema(.any)
    }

    /// A schema of one type.
    private mutating func single(_ node: DocumentNode, _ type: String) -> Schema {
        let format = node["format"]?.text
        switch type {
        case "string": return Schema(.string(format: SchemaParts.stringFormat(node)))
        case "integer": return Schema(.integer(format: SchemaParts.exceedsInt64(node) ? "uint64" : format))
        case "number": return Schema(.number(format: format))
        case "boolean": return Schema(.boolean)
        case "array": return Schema(.array(items(of: node)))
        case "object": return object(node)
        case "file": return Schema(.string(format: "binary"))
        default:
            note("the type `\(type)` is unknown; it is read as any JSON", node)
            return Schema(.any)
        }
    }

    private mutating func items(of node: DocumentNode) -> Schema {
        // Before 2020-12, a list of `items` meant what `prefixItems` does now.
        let prefix = node["prefixItems"]?.elements ?? node["items"]?.elements ?? []
        let items = node["items"].flatMap { $0.elements.isEmpty && $0.bool != false ? schema($0) : nil }
        guard !prefix.isEmpty else { return items ?? Schema(.any) }
        var parts = UnionParts()
        for item in prefix { parts.add(schema(item)) }
        if let items { parts.add(items) }
        if prefix.count > 1 {
            note("the positions of `prefixItems` aren't kept: an element has one of their types", node)
        }
        return parts.schema
    }
}
