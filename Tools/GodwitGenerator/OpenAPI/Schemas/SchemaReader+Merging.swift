extension SchemaReader {
    /// A schema put together from `allOf`, from its own properties next to it, and from what accompanies a reference.
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
        parts.seen.insert(Self.key(of: node))
        parts.open.append(Self.key(of: node))
        collect(node, into: &parts)
        let schema = combined(parts, node)
        guard let name = merging.open.removeValue(forKey: key) ?? nil else { return schema }
        named.append(APIDescription.NamedSchema(name: name, schema: schema))
        return Schema(.reference(name), isNullable: schema.isNullable, place: node.place)
    }

    /// The key of a reference to a node.
    static func key(of node: DocumentNode) -> String { node.place.file + "#" + node.place.pointer }

    /// The only part of a schema that says something about its shape: a reference stays one.
    private mutating func loneReference(_ node: DocumentNode) -> Schema? {
        guard node["$ref"] == nil, node["required"] == nil, node["oneOf"] == nil, node["anyOf"] == nil else {
            return nil
        }
        let isBare = node["type"] != nil && Nullability.types(node).allSatisfy { $0 == "object" || $0 == "null" }
        let own = node.members.filter { $0.key != "allOf" && !(isBare && $0.key == "type") }
        guard !SchemaParts.hasStructure(DocumentNode(value: .object(own), place: node.place)) else { return nil }
        let parts = node["allOf"]?.elements ?? []
        let rest = parts.filter { SchemaParts.hasStructure($0) || $0["required"] != nil }
        guard rest.count == 1, let part = rest.first, parts.allSatisfy(\.isObject) else { return nil }
        var result = schema(part)
        for words in parts where !SchemaParts.hasStructure(words) {
            result.isNullable = result.isNullable || words["nullable"]?.bool == true
            result.summary = words["description"]?.text ?? result.summary
            result.defaultValue = words["default"] ?? result.defaultValue
        }
        return result
    }

    /// Adds what a schema says to the parts, with what it refers to and its own `allOf`.
    mutating func collect(_ node: DocumentNode, into parts: inout SchemaMerging.Parts) {
        guard node.isObject else {
            if node.bool != true { note("a schema has to be an object, but this is \(node.kindName)", node) }
            return
        }
        guard merging.propertyCount < merging.maximumProperties else { return }
        guard depth < Self.maximumDepth, counts(node) else {
            return note("`allOf` is nested too deep; this part is left out", node)
        }
        depth += 1
        defer { depth -= 1 }
        if let reference = node["$ref"] { collect(reference: reference, into: &parts) }
        for part in node["allOf"]?.elements ?? [] {
            collect(part, into: &parts)
            let isNullable = part["nullable"]?.bool == true && !SchemaParts.hasStructure(part)
            parts.isNullable = parts.isNullable || isNullable
        }
        if let members = SchemaParts.unionMembers(node), !isBase(members, of: parts) {
            if parts.union == nil {
                parts.union = node
            } else {
                note("only one `oneOf` or `anyOf` is read in `allOf`; this one is left out", node)
            }
        }
        collect(own: node, into: &parts)
    }

    private mutating func collect(reference: DocumentNode, into parts: inout SchemaMerging.Parts) {
        guard let target = target(of: reference) else { return }
        guard parts.seen.insert(target.key).inserted else {
            if parts.open.contains(target.key) {
                note("this part of `allOf` is left out: it contains itself", reference)
            }
            return
        }
        // Enumerations and the like keep their names.
        if Self.isNamedValue(target.node) {
            return parts.addOther(Schema(.reference(name(of: target)), place: reference.place))
        }
        parts.open.append(target.key)
        collect(target.node, into: &parts)
        parts.open.removeLast()
    }

    /// Whether a union is that of a base and has the schemas that are put together as members: `Pet` is a `Cat` or a
    /// `Dog`, and `Cat` has all of `Pet`, but isn't a union.
    private mutating func isBase(_ members: [DocumentNode], of parts: SchemaMerging.Parts) -> Bool {
        members.contains { member in
            guard let reference = member["$ref"]?.string else { return false }
            let target = try? documents.target(of: reference, in: member.place.file)
            return target.map { parts.seen.contains($0.key) } ?? false
        }
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
            if merging.propertyCount == merging.maximumProperties {
                note(
                    "the merged schemas have more than \(merging.maximumProperties) properties; the rest is left out",
                    node)
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
        let isNarrowed = first.enumeration != nil || second.enumeration != nil
        let parts = isNarrowed ? (narrowable(first), narrowable(second)) : (first, second)
        guard var both = Self.joined(parts.0, parts.1) else {
            let kinds = "\(first.kindName) and \(second.kindName)"
            let text = "`allOf` contradicts itself: `\(property.name)` is \(kinds); it is read as any JSON"
            add(Note(.omission, text, at: second.place ?? node.place))
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

    /// Like ``SchemaMerging/common(_:_:)``, with the properties of two objects together, also as elements of lists.
    private static func joined(_ first: Schema, _ second: Schema) -> Schema? {
        if case .array(let element) = first.kind, case .array(let other) = second.kind {
            guard var both = joined(element, other) else { return nil }
            both.isNullable = element.isNullable && other.isNullable
            return Schema(.array(both), place: second.place)
        }
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
