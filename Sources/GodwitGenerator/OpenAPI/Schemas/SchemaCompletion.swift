/// Completes unions when all schemas are known: enumerations that are members by reference, and which value of a
/// property stands for which member.
struct SchemaCompletion {
    /// How many references are followed from a member to the property that tells it apart.
    private static let maximumDepth = 16

    /// How many properties are tried as discriminators.
    private static let maximumCandidates = 8

    private let schemas: [String: Schema]
    /// The texts of properties of schemas with names, by both.
    private var constants: [String: [String]?] = [:]
    /// What schemas with names are as text.
    private var texts: [String: Text?] = [:]
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

    /// Text, with the values that are known.
    private enum Text {
        case any
        case values(Schema.Enumeration)
    }

    /// What a union of text and enumerations is; `nil` for other unions. Text and one enumeration with a name is the
    /// latter: it accepts other values too.
    private mutating func enumeration(_ members: [Schema]) -> Schema.Kind? {
        var known: [Schema] = []
        for member in members {
            switch text(member, depth: 0) {
            case .any: break
            case .values: known.append(member)
            case nil: return nil
            }
        }
        if known.count == 1 { return known.first?.kind }
        guard case .values(let values) = joined(known, depth: 0) else { return nil }
        return .enumeration(values)
    }

    /// The text that a schema is; `nil` if it is something else.
    private mutating func text(_ schema: Schema, depth: Int) -> Text? {
        guard depth < Self.maximumDepth else { return nil }
        switch schema.kind {
        case .string(format: nil): return .any
        case .enumeration(let values): return values.isText ? .values(values) : nil
        case .union(let union): return joined(union.members, depth: depth + 1)
        case .reference(let name):
            if let known = texts[name] { return known }
            let result = schemas[name].flatMap { $0.isNullable ? nil : text($0, depth: depth + 1) }
            texts[name] = .some(result)
            return result
        default: return nil
        }
    }

    /// The text that any of some schemas is; `nil` if one is something else.
    private mutating func joined(_ members: [Schema], depth: Int) -> Text? {
        var result: [Schema] = []
        for member in members {
            switch text(member, depth: depth) {
            case .any: break
            case .values(let values): result.append(Schema(.enumeration(values)))
            case nil: return nil
            }
        }
        guard case .enumeration(let values) = UnionParts.collapsed(result).first?.kind else { return .any }
        return .values(values)
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

    /// The texts that a property can have; `nil` if it can have any, or isn't there.
    private mutating func constants(of property: String, in schema: Schema, depth: Int) -> [String]? {
        guard depth < Self.maximumDepth else { return nil }
        switch schema.kind {
        case .reference(let name):
            // Unions can share members with others, which share members…
            let key = property + "\n" + name
            if let known = constants[key] { return known }
            let result = schemas[name].flatMap { constants(of: property, in: $0, depth: depth + 1) }
            constants[key] = .some(result)
            return result
        case .union(let union):
            var (result, seen): ([String], Set<String>) = ([], [])
            for member in union.members {
                guard let values = constants(of: property, in: member, depth: depth + 1) else { return nil }
                result += values.filter { seen.insert($0).inserted }
            }
            return result
        case .object(let object):
            let found = object.properties.first { $0.name == property }
            guard let found, !found.schema.isNullable, case .enumeration(let values) = resolved(found.schema).kind,
                case .strings(let texts) = values.values
            else { return nil }
            return texts
        default: return nil
        }
    }

    /// A property that is required in all members, with one value in each that no other member has.
    private mutating func inferred(_ members: [Schema]) -> Schema.Discriminator? {
        guard let first = members.first, case .object(let object) = resolved(first).kind else { return nil }
        let candidates = object.properties.filter { property in
            guard case .enumeration(let values) = resolved(property.schema).kind else { return false }
            return property.isRequired && values.values.isSingle
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
        return object.properties.contains { $0.name == property && $0.isRequired }
    }
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
