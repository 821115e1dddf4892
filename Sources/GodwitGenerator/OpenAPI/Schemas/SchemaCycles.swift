/// Finds schemas that are nothing but references to each other in a circle: no value has such a type.
struct SchemaCycles {
    private var schemas: [APIDescription.NamedSchema]
    private let indexes: [String: Int]

    init(_ schemas: [APIDescription.NamedSchema]) {
        self.schemas = schemas
        indexes = Dictionary(schemas.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    private enum State { case new, open, done }

    /// The schemas without the references that close a circle, each of which becomes a note.
    consuming func resolved(notes: inout [Note]) -> [APIDescription.NamedSchema] {
        var states = [State](repeating: .new, count: schemas.count)
        for start in schemas.indices where states[start] == .new {
            // Chains of references can be as long as the document: this can't be recursive.
            var path: [(index: Int, targets: [Int])] = [(start, targets(of: start))]
            states[start] = .open
            while let (index, targets) = path.last {
                guard let target = targets.last else {
                    states[index] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].targets.removeLast()
                switch states[target] {
                case .done: break
                case .new:
                    states[target] = .open
                    path.append((target, self.targets(of: target)))
                case .open: cut(from: index, to: target, &notes)
                }
            }
        }
        return schemas
    }

    /// The schemas that a schema is, or can be, without anything around them; the first one last.
    private func targets(of index: Int) -> [Int] {
        switch schemas[index].schema.kind {
        case .reference(let name): indexes[name].map { [$0] } ?? []
        case .union(let union): union.members.reversed().compactMap { Self.name($0).flatMap { indexes[$0] } }
        default: []
        }
    }

    private static func name(_ schema: Schema) -> String? {
        if case .reference(let name) = schema.kind { name } else { nil }
    }

    private mutating func cut(from index: Int, to target: Int, _ notes: inout [Note]) {
        let name = schemas[target].name
        var schema = schemas[index].schema
        let text: String
        if case .union(let union) = schema.kind {
            text = "`\(name)` is left out of the union `\(schemas[index].name)`: the references lead in a circle"
            schema.kind = Self.without(name, union).kind
        } else {
            text = "`\(schemas[index].name)` is read as any JSON: the references lead in a circle"
            schema.kind = .any
        }
        notes.append(Note(.omission, text, at: schema.place))
        schemas[index].schema = schema
    }

    /// A union without a member.
    private static func without(_ name: String, _ union: Schema.Union) -> Schema {
        let rest = union.members.indices.filter { Self.name(union.members[$0]) != name }
        if rest.count == 1 { return union.members[rest[0]] }
        guard !rest.isEmpty else { return Schema(.any) }
        var result = Schema.Union(members: rest.map { union.members[$0] }, discriminator: union.discriminator)
        result.discriminator?.values =
            union.discriminator?.values.compactMap { value in
                rest.firstIndex(of: value.member).map { Schema.Discriminator.Value(value: value.value, member: $0) }
            } ?? []
        return Schema(.union(result))
    }
}
