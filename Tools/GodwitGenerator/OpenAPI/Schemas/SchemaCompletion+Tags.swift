extension SchemaCompletion {
    /// Gives members of unions their tags: a member that declares the discriminator as any text always sends its own value.
    ///
    /// One that several unions know by different values keeps what it declares.
    static func addTags(to api: inout APIDescription) {
        var tags: [String: [String: Set<String>]] = [:]
        for schema in api.schemas.map(\.schema) { collect(schema, &tags) }
        for operation in api.operations {
            let contents = (operation.body?.contents ?? []) + operation.responses.flatMap(\.contents)
            for content in contents {
                for schema in [content.schema, content.itemSchema].compactMap(\.self) { collect(schema, &tags) }
            }
        }
        for index in api.schemas.indices {
            guard let known = tags[api.schemas[index].name], case .object(var object) = api.schemas[index].schema.kind
            else { continue }
            for (property, values) in known where values.count == 1 {
                let place = object.properties.firstIndex {
                    $0.name == property && $0.schema.kind == .string(format: nil)
                }
                guard let place, !object.properties[place].schema.isNullable else { continue }
                object.properties[place].schema.kind = .enumeration(.init(values: .strings(Array(values))))
                // A union can't read a value without its tag.
                object.properties[place].isRequired = true
            }
            api.schemas[index].schema.kind = .object(object)
        }
    }

    /// The values of discriminators by member and property.
    private static func collect(_ schema: Schema, _ tags: inout [String: [String: Set<String>]]) {
        if case .union(let union) = schema.kind, let discriminator = union.discriminator {
            for value in discriminator.values where union.members.indices.contains(value.member) {
                guard case .reference(let name) = union.members[value.member].kind else { continue }
                tags[name, default: [:]][discriminator.property, default: []].insert(value.value)
            }
        }
        for child in schema.children { collect(child, &tags) }
    }
}
