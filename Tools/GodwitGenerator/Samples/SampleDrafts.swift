/// Gives the members of drafts and changes the types that they have in their resource.
///
/// One sample of a draft says little: a whole number where the resource has fractions, one word of an enumeration, a
/// text where the resource can have null.
struct SampleDrafts {
    private(set) var schemas: [APIDescription.NamedSchema]

    init(_ schemas: [APIDescription.NamedSchema]) {
        self.schemas = schemas
        for (suffix, isChange) in [("Draft", false), ("Change", true)] {
            for index in schemas.indices where schemas[index].name.hasSuffix(suffix) {
                align(index, with: String(schemas[index].name.dropLast(suffix.count)), isChange: isChange)
            }
        }
    }

    private mutating func align(_ index: Int, with name: String, isChange: Bool) {
        guard let resource = schemas.firstIndex(where: { $0.name == name }),
            case .object(var draft) = schemas[index].schema.kind,
            case .object(var whole) = schemas[resource].schema.kind
        else { return }
        for place in draft.properties.indices {
            let property = draft.properties[place]
            guard let other = whole.properties.firstIndex(where: { $0.name == property.name }) else { continue }
            if isChange, whole.properties[other].schema.isNullable { draft.properties[place].schema.isNullable = true }
            let theirs = resolved(whole.properties[other].schema.kind)
            guard let kind = Self.joined(property.schema.kind, theirs) else { continue }
            let named = shared(kind, name + SampleWords.pascal(SampleWords.words(property.name)), property.schema)
            draft.properties[place].schema.kind = named
            whole.properties[other].schema.kind = named
        }
        schemas[index].schema.kind = .object(draft)
        schemas[resource].schema.kind = .object(whole)
    }

    /// The enumeration that a reference names; other kinds as they are.
    private func resolved(_ kind: Schema.Kind) -> Schema.Kind {
        guard case .reference(let name) = kind, let named = schemas.first(where: { $0.name == name }),
            case .enumeration = named.schema.kind
        else { return kind }
        return named.schema.kind
    }

    /// The kind of a member in both types; `nil` if each keeps its own.
    private static func joined(_ draft: Schema.Kind, _ resource: Schema.Kind) -> Schema.Kind? {
        switch (draft, resource) {
        case (.integer, .number), (.any, _), (.string(format: nil), .enumeration), (.integer, .integer): resource
        case (.number, .integer), (_, .any): draft
        case (.enumeration(let mine), .enumeration(let other)): .enumeration(union(other, mine))
        case (.enumeration, .string(format: nil)): draft
        default: nil
        }
    }

    private static func union(_ first: Schema.Enumeration, _ second: Schema.Enumeration) -> Schema.Enumeration {
        guard case .strings(let texts) = first.values, case .strings(let more) = second.values else { return first }
        return Schema.Enumeration(values: .strings(texts + more.filter { !texts.contains($0) }))
    }

    /// An enumeration of two types gets a name of its own.
    private mutating func shared(_ kind: Schema.Kind, _ name: String, _ schema: Schema) -> Schema.Kind {
        guard case .enumeration = kind else { return kind }
        if let index = schemas.firstIndex(where: { $0.name == name }) {
            guard case .enumeration = schemas[index].schema.kind else { return kind }
            schemas[index].schema.kind = kind
        } else {
            schemas.append(.init(name: name, schema: Schema(kind, place: schema.place)))
        }
        return .reference(name)
    }
}
