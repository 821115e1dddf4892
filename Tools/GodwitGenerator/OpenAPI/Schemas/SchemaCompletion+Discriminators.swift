extension SchemaCompletion {
    /// The discriminator with a value for each member; `nil` with a note if there is none.
    mutating func discriminator(_ union: Schema.Union, _ place: SourcePlace?) -> Schema.Discriminator? {
        guard let discriminator = union.discriminator else { return inferred(union.members) }
        var result = discriminator
        let mapped = Set(discriminator.values.map(\.member))
        var seen = Set(discriminator.values.map(\.value))
        let constants = union.members.map { self.constants(of: discriminator.property, in: $0, depth: 0) ?? [] }
        for index in union.members.indices where !mapped.contains(index) {
            // What another member can have too, such as an enumeration of the base, tells nothing.
            let others = constants.indices.filter { $0 != index }.flatMap { constants[$0] }
            let own = Set(others).isDisjoint(with: constants[index]) ? constants[index] : []
            let named = name(of: union.members[index]).filter {
                constants[index].isEmpty || constants[index].contains($0)
            }
            let values = own.isEmpty ? named : own
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

    /// The name of a member, which OpenAPI takes for the value of a discriminator without a mapping.
    private func name(of member: Schema) -> [String] {
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
            guard let found, !found.schema.isNullable,
                case .enumeration(let values) = schemas.resolved(found.schema).kind,
                case .strings(let texts) = values.values
            else { return nil }
            return texts
        default: return nil
        }
    }

    /// A property that is required in all members, with one value in each that no other member has.
    private mutating func inferred(_ members: [Schema]) -> Schema.Discriminator? {
        guard let first = members.first, case .object(let object) = schemas.resolved(first).kind else { return nil }
        let candidates = object.properties.filter { property in
            guard case .enumeration(let values) = schemas.resolved(property.schema).kind else { return false }
            return property.isAlwaysSent && values.values.isSingle
        }
        for property in candidates.prefix(Self.maximumCandidates) {
            var seen: Set<String> = []
            var values: [Schema.Discriminator.Value] = []
            for (index, member) in members.enumerated() {
                guard isAlwaysSent(property.name, in: member),
                    let texts = constants(of: property.name, in: member, depth: 0), texts.count == 1,
                    seen.insert(texts[0]).inserted
                else { break }
                values.append(Schema.Discriminator.Value(value: texts[0], member: index))
            }
            if values.count == members.count { return Schema.Discriminator(property: property.name, values: values) }
        }
        return nil
    }

    private func isAlwaysSent(_ property: String, in member: Schema) -> Bool {
        guard case .object(let object) = schemas.resolved(member).kind else { return false }
        return object.properties.contains { $0.name == property && $0.isAlwaysSent }
    }
}

extension Schema.Property {
    /// Whether the member is required or has a default: pydantic sends a `Literal` with a default, but doesn't require it.
    fileprivate var isAlwaysSent: Bool { isRequired || schema.defaultValue?.string != nil }
}
