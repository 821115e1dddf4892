extension SchemaPlan {
    func run(_ steps: [KeyedStep], _ container: KeyedDecodingContainer<AnyKey>) throws -> String {
        try "{" + steps.map { try run($0, container) }.joined(separator: "; ") + "}"
    }

    func run(_ steps: [UnkeyedStep], _ container: any UnkeyedDecodingContainer) throws -> String {
        var container = container
        return try "[" + steps.map { try run($0, &container) }.joined(separator: "; ") + "]"
    }

    private func run(_ step: KeyedStep, _ container: KeyedDecodingContainer<AnyKey>) throws -> String {
        switch step {
        case .decode(let key, let schema):
            try with(schema) { try describe(container.decode(SchemaValue.self, forKey: AnyKey(key))) }
        case .ifPresent(let key, let schema):
            try with(schema) { try describe(container.decodeIfPresent(SchemaValue.self, forKey: AnyKey(key))) }
        case .scalar(let key, let access): try access.keyed(container, AnyKey(key))
        case .scalarIfPresent(let key, let access): try access.keyedIfPresent(container, AnyKey(key))
        case .isNil(let key): try "nil \(container.decodeNil(forKey: AnyKey(key)))"
        case .contains(let key): "contains \(container.contains(AnyKey(key)))"
        case .allKeys: describe(Set(container.allKeys.map(\.stringValue)))
        case .path: describe(path: container.codingPath)
        case .nested(let key, let steps):
            try run(steps, container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(key)))
        case .nestedUnkeyed(let key, let steps):
            try run(steps, container.nestedUnkeyedContainer(forKey: AnyKey(key)))
        case .superDecoder(let key, let schema):
            try follow(
                superDecoder: key.map { try container.superDecoder(forKey: AnyKey($0)) } ?? container.superDecoder(),
                schema)
        case .attempt(let step): attempt { try run(step, container) }
        }
    }

    private func run(_ step: UnkeyedStep, _ container: inout any UnkeyedDecodingContainer) throws -> String {
        switch step {
        case .decode(let schema): return try with(schema) { try describe(container.decode(SchemaValue.self)) }
        // At the end, Foundation moves on to an index that isn't there. `UnkeyedEndTests` has what ours does.
        case .ifPresent where container.isAtEnd, .scalarIfPresent where container.isAtEnd: return "at the end"
        case .ifPresent(let schema):
            return try with(schema) { try describe(container.decodeIfPresent(SchemaValue.self)) }
        case .scalar(let access): return try access.unkeyed(&container)
        case .scalarIfPresent(let access): return try access.unkeyedIfPresent(&container)
        case .isNil: return try "nil \(container.decodeNil())"
        case .state:
            let path = describe(path: container.codingPath)
            return "\(container.currentIndex) of \(describe(container.count)), end \(container.isAtEnd), \(path)"
        case .nested(let steps): return try run(steps, container.nestedContainer(keyedBy: AnyKey.self))
        case .nestedUnkeyed(let steps): return try run(steps, container.nestedUnkeyedContainer())
        case .superDecoder(let schema): return try follow(superDecoder: container.superDecoder(), schema)
        case .attempt(let step): return attempt { try run(step, &container) }
        case .rest(let step): return try runUntilEnd(step, &container)
        }
    }

    private func follow(superDecoder decoder: any Decoder, _ schema: Schema) throws -> String {
        try "super \(describe(path: decoder.codingPath)) \(follow(schema, decoder))"
    }

    private func runUntilEnd(_ step: UnkeyedStep, _ container: inout any UnkeyedDecodingContainer) throws -> String {
        var results: [String] = []
        while !container.isAtEnd, results.count < 200 {
            results.append(try run(step, &container))
        }
        return results.joined(separator: ", ")
    }
}

/// The keys of a path, and the integer values of positions.
func describe(path: [any CodingKey]) -> String {
    path.map { key in
        let position = key.stringValue.hasPrefix("Index ") ? key.intValue.map { "=\($0)" } : nil
        return key.stringValue.debugDescription + (position ?? "")
    }.joined(separator: "/")
}
