extension SchemaCompletion {
    /// What a union of text and enumerations is; `nil` for other unions. Text and one enumeration with a name is the
    /// latter: it accepts other values too.
    mutating func enumeration(_ members: [Schema]) -> Schema.Kind? {
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
}
