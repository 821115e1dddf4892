extension SchemaReader {
    /// The union of the schemas that extend a base with a discriminator, as Spring and .NET write hierarchies: the base
    /// stands for any of them. `nil` for other schemas.
    mutating func hierarchy(_ node: DocumentNode) -> Schema? {
        guard let discriminator = node["discriminator"], discriminator["propertyName"] != nil,
            SchemaParts.unionMembers(node) == nil
        else { return nil }
        let key = Self.key(of: node)
        var names = children(of: key)
        guard !names.isEmpty else { return nil }
        var members = names.map { Schema(.reference($0), place: node.place) }
        if let own = self.names[key], node["allOf"] != nil || isMapped(own, discriminator) {
            members.append(Schema(.reference(base(node, named: own)), place: node.place))
            names.append(own)
        }
        let union = Schema.Union(members: members, discriminator: self.discriminator(node, names))
        return Schema(.union(union), place: node.place)
    }

    /// The schemas of the document that extend one, directly or through others.
    private mutating func children(of key: String) -> [String] {
        let all = descendants ?? allDescendants()
        descendants = all
        return all[key] ?? []
    }

    private mutating func allDescendants() -> [String: [String]] {
        var result: [String: [String]] = [:]
        for schema in documents.root["components"]?["schemas"]?.members ?? [] {
            for ancestor in ancestors(of: schema.value) { result[ancestor, default: []].append(schema.key) }
        }
        return result
    }

    /// Whether a value of the discriminator stands for the base itself.
    private mutating func isMapped(_ name: String, _ discriminator: DocumentNode) -> Bool {
        for entry in discriminator["mapping"]?.members ?? [] {
            if entry.value.string == name { return true }
            if let reference = entry.value.string,
                let target = try? documents.target(of: reference, in: entry.value.place.file),
                names[target.key] == name
            {
                return true
            }
        }
        return false
    }

    /// Names a type for values that are the base and no child.
    private mutating func base(_ node: DocumentNode, named name: String) -> String {
        let base = names.unique(name + "Base")
        let members = node.members.filter { $0.key != "discriminator" }
        named.append(
            APIDescription.NamedSchema(
                name: base, schema: schema(DocumentNode(value: .object(members), place: node.place))))
        return base
    }

    /// An enumeration with a name as its values, so that it can be narrowed; other schemas as they are.
    mutating func narrowable(_ schema: Schema) -> Schema {
        guard case .reference(let name) = schema.kind, let node = nodes[name], let values = node["enum"] else {
            return schema
        }
        var result = enumeration(node, values.elements, type: nil)
        result.isNullable = schema.isNullable
        result.place = schema.place
        return result
    }
}
