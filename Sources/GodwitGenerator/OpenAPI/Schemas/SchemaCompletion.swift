/// Completes unions when all schemas are known: enumerations that are members by reference, and which value of a
/// property stands for which member.
struct SchemaCompletion {
    /// How many references are followed from a member to the property that tells it apart.
    private static let maximumDepth = 16

    /// How many members of unions are looked at for one discriminator: unions of unions can share members.
    private static let maximumVisits = 20_000
    /// How many properties are tried as discriminators.
    private static let maximumCandidates = 8

    private let schemas: [String: Schema]
    private var visits = 0
    private var notes: [Note] = []

    /// Completes all unions of an API.
    static func complete(_ api: inout APIDescription) {
        let schemas = Dictionary(api.schemas.map { ($0.name, $0.schema) }) { first, _ in first }
        var completion = SchemaCompletion(schemas)
        for index in api.schemas.indices { completion.complete(&api.schemas[index].schema) }
        for index in api.operations.indices { completion.complete(&api.operations[index]) }
        api.notes += completion.notes
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

    // MARK: - Enumerations

    /// What a union of text and enumerations is; `nil` for other unions. Text and one enumeration with a name is the
    /// latter: it accepts other values too.
    private func enumeration(_ members: [Schema]) -> Schema.Kind? {
        var (textCount, enumerations): (Int, [(member: Schema, resolved: Schema)]) = (0, [])
        for member in members {
            let resolved = resolved(member)
            switch resolved.kind {
            case .string(format: nil): textCount += 1
            case .enumeration(let values) where values.isText: enumerations.append((member, resolved))
            default: return nil
            }
        }
        guard let first = enumerations.first else { return nil }
        if enumerations.count == 1 { return first.member.kind }
        let joined = UnionParts.collapsed(enumerations.map(\.resolved))
        return joined.count == 1 ? joined.first?.kind : nil
    }

    /// A schema without the references that lead to it.
    private func resolved(_ schema: Schema) -> Schema {
        var schema = schema
        for _ in 0..<Self.maximumDepth {
            guard case .reference(let name) = schema.kind, let target = schemas[name] else { return schema }
            schema = target
        }
        return schema
    }

    // MARK: - Discriminators

    private mutating func discriminator(_ union: Schema.Union, _ place: SourcePlace?) -> Schema.Discriminator? {
        visits = 0
        guard let discriminator = union.discriminator else { return inferred(union.members) }
        var result = discriminator
        let mapped = Set(discriminator.values.map(\.member))
        var seen = Set(discriminator.values.map(\.value))
        for index in union.members.indices where !mapped.contains(index) {
            let values = values(of: union.members[index], discriminator.property)
            guard !values.isEmpty, values.allSatisfy({ !seen.contains($0) }) else {
                let text =
                    "the discriminator `\(discriminator.property)` is not used, because it doesn't tell all members apart; they are tried in order"
                notes.append(Note(.omission, text, at: place))
                return nil
            }
            seen.formUnion(values)
            result.values += values.map { Schema.Discriminator.Value(value: $0, member: index) }
        }
        return result
    }

    /// The values of a property in a member; without them the member's name, which is what OpenAPI says.
    private mutating func values(of member: Schema, _ property: String) -> [String] {
        let constants = constants(of: property, in: member, depth: 0) ?? []
        if !constants.isEmpty { return constants }
        if case .reference(let name) = member.kind { return [name] }
        return member.title.map { schemas[$0] == nil ? [] : [$0] } ?? []
    }

    /// The texts that a required property can have; `nil` if it can have any.
    private mutating func constants(of property: String, in schema: Schema, depth: Int) -> [String]? {
        visits += 1
        guard depth < Self.maximumDepth, visits < Self.maximumVisits else { return nil }
        let schema = resolved(schema)
        if case .union(let union) = schema.kind {
            var result: [String] = []
            for member in union.members {
                guard let values = constants(of: property, in: member, depth: depth + 1) else { return nil }
                result += values
            }
            return result
        }
        guard case .object(let object) = schema.kind,
            let found = object.properties.first(where: { $0.name == property }), !found.schema.isNullable,
            case .enumeration(let values) = resolved(found.schema).kind, case .strings(let texts) = values.values
        else { return nil }
        return texts
    }

    /// A property that is sent in all members, with one value in each that no other member has.
    private mutating func inferred(_ members: [Schema]) -> Schema.Discriminator? {
        guard let first = members.first, case .object(let object) = resolved(first).kind else { return nil }
        let candidates = object.properties.filter { property in
            guard case .enumeration(let values) = resolved(property.schema).kind else { return false }
            return property.isAlwaysSent && values.values.isSingle
        }
        for property in candidates.prefix(Self.maximumCandidates) {
            var seen: Set<String> = []
            var values: [Schema.Discriminator.Value] = []
            for (index, member) in members.enumerated() {
                guard isRequired(property.name, in: member),
                    let texts = constants(of: property.name, in: member, depth: 0), texts.count == 1,
                    seen.insert(texts[0]).inserted
                else { break }
                values.append(Schema.Discriminator.Value(value: texts[0], member: index))
            }
            if values.count == members.count { return Schema.Discriminator(property: property.name, values: values) }
        }
        return nil
    }

    private func isRequired(_ property: String, in member: Schema) -> Bool {
        guard case .object(let object) = resolved(member).kind else { return false }
        return object.properties.contains { $0.name == property && $0.isAlwaysSent }
    }
}

extension Schema.Property {
    /// Whether the member is required or has a default: pydantic sends a `Literal` with a default, but doesn't require it.
    fileprivate var isAlwaysSent: Bool { isRequired || schema.defaultValue?.string != nil }
}

extension Schema.Enumeration.Values {
    /// Whether there is only one value.
    var isSingle: Bool {
        switch self {
        case .strings(let values): values.count == 1
        case .integers(let values): values.count == 1
        }
    }
}
