/// Completes unions when all schemas are known: enumerations that are members by reference, and which value of a
/// property stands for which member.
struct SchemaCompletion {
    /// How many references are followed from a member to the property that tells it apart.
    static let maximumDepth = 16

    /// How many properties are tried as discriminators.
    static let maximumCandidates = 8

    let schemas: [String: Schema]
    /// The texts of properties of schemas with names, by both.
    var constants: [String: [String]?] = [:]
    /// What schemas with names are as text.
    var texts: [String: Text?] = [:]
    var notes: [Note] = []

    /// Completes all unions of an API.
    static func complete(_ api: inout APIDescription) {
        let schemas = Dictionary(api.schemas.map { ($0.name, $0.schema) }) { first, _ in first }
        var completion = SchemaCompletion(schemas)
        for index in api.schemas.indices { completion.complete(&api.schemas[index].schema) }
        for index in api.operations.indices { completion.complete(&api.operations[index]) }
        for index in api.webhooks.indices { completion.complete(&api.webhooks[index]) }
        addTags(to: &api)
        api.notes += completion.notes
    }

    /// Text, with the values that are known.
    enum Text {
        case any
        case values(Schema.Enumeration)
    }

    private init(_ schemas: [String: Schema]) {
        self.schemas = schemas
    }

    private mutating func complete(_ operation: inout Operation) {
        for index in operation.parameters.indices { complete(&operation.parameters[index].schema) }
        if var contents = operation.body?.contents {
            complete(&contents)
            operation.body?.contents = contents
        }
        for index in operation.responses.indices {
            complete(&operation.responses[index].contents)
            for header in operation.responses[index].headers.indices {
                complete(&operation.responses[index].headers[header].schema)
            }
        }
    }

    private mutating func complete(_ contents: inout [Content]) {
        for index in contents.indices {
            contents[index].schema = contents[index].schema.map { completed($0) }
            contents[index].itemSchema = contents[index].itemSchema.map { completed($0) }
        }
    }

    private mutating func completed(_ schema: Schema) -> Schema {
        var schema = schema
        complete(&schema)
        return schema
    }

    private mutating func complete(_ schema: inout Schema) {
        switch schema.kind {
        case .array(let element): schema.kind = .array(completed(element))
        case .dictionary(let value): schema.kind = .dictionary(completed(value))
        case .object(var object):
            for index in object.properties.indices { complete(&object.properties[index].schema) }
            object.additional = object.additional.map { completed($0) }
            schema.kind = .object(object)
        case .union(var union):
            for index in union.members.indices { complete(&union.members[index]) }
            if let values = enumeration(union.members) {
                schema.kind = values
            } else {
                union.discriminator = discriminator(union, schema.place)
                schema.kind = .union(union)
            }
        case .any, .reference, .boolean, .string, .integer, .number, .enumeration: break
        }
    }
}
