// What a schema is in a form or as a body.
extension TypePlanner {
    /// The schema without references.
    func resolved(_ schema: Schema) -> Schema {
        var (schema, rest) = (schema, 32)
        while case .reference(let name) = schema.kind, let target = schemas[name], rest > 0 {
            schema = target
            rest -= 1
        }
        return schema
    }

    func object(_ schema: Schema) -> Schema.Object? {
        if case .object(let object) = resolved(schema).kind { object } else { nil }
    }

    func isFile(_ schema: Schema) -> Bool { resolved(schema).kind == .string(format: "binary") }

    /// Whether a part is several files, or a file or several.
    func areFiles(_ schema: Schema) -> Bool {
        switch resolved(schema).kind {
        case .array(let element): isFile(element)
        case .union(let union): union.members.allSatisfy { isFile($0) || areFiles($0) }
        default: false
        }
    }

    /// Whether one of the fields of a form takes files.
    func hasFiles(_ schema: Schema) -> Bool {
        object(schema)?.properties.contains { isFile($0.schema) || areFiles($0.schema) } ?? false
    }

    /// Whether a body is a partial update: a merge patch, or a PATCH in which nothing is required.
    func isChange(_ schema: Schema, _ operation: Operation, _ mediaType: String) -> Bool {
        guard let object = object(schema), !object.properties.isEmpty else { return false }
        if mediaType == "application/merge-patch+json" { return true }
        return operation.method == "PATCH" && object.properties.allSatisfy { !$0.isRequired || $0.isReadOnly }
    }

    /// The schema of an event's data: `itemSchema` of OpenAPI 3.2 describes the whole event.
    func eventData(_ schema: Schema) -> Schema {
        guard let object = object(schema), let data = object.properties.first(where: { $0.name == "data" }),
            object.properties.allSatisfy({ ["data", "event", "id", "retry"].contains($0.name) })
        else { return schema }
        return data.schema
    }
}
