/// Finds schemas that are nothing but references to each other in a circle: no value has such a type.
struct SchemaCycles {
    private(set) var schemas: [APIDescription.NamedSchema]
    private(set) var notes: [Note] = []
    private let indexes: [String: Int]

    init(_ schemas: [APIDescription.NamedSchema]) {
        self.schemas = schemas
        indexes = Dictionary(schemas.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    private enum State { case new, open, done }

    /// Removes the references that close a circle, each with a note.
    mutating func cut() {
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
                case .open: cut(from: index, to: target)
                }
            }
        }
    }

    /// The schemas that a schema is, or can be, without anything around them; the first one last.
    private func targets(of index: Int) -> [Int] {
        Self.names(schemas[index].schema).reversed().compactMap { indexes[$0] }
    }

    private static func names(_ schema: Schema) -> [String] {
        switch schema.kind {
        case .reference(let name): [name]
        case .union(let union): union.members.flatMap(names)
        default: []
        }
    }

    private mutating func cut(from index: Int, to target: Int) {
        let (name, owner) = (schemas[target].name, schemas[index].name)
        var text = "`\(owner)` is read as any JSON: the references lead in a circle"
        if case .union = schemas[index].schema.kind {
            text = "`\(name)` is left out of the union `\(owner)`: the references lead in a circle"
        }
        notes.append(Note(.omission, text, at: schemas[index].schema.place))
        schemas[index].schema.kind = Self.without(name, schemas[index].schema.kind)
    }

    /// A kind without a reference.
    private static func without(_ name: String, _ kind: Schema.Kind) -> Schema.Kind {
        guard case .union(let union) = kind else { return kind == .reference(name) ? .any : kind }
        let rest = union.members.indices.filter { union.members[$0].kind != .reference(name) }
        var result = Schema.Union(members: rest.map { union.members[$0] }, discriminator: union.discriminator)
        for index in result.members.indices { result.members[index].kind = without(name, result.members[index].kind) }
        if result.members.count < 2 { return result.members.first?.kind ?? .any }
        result.discriminator?.values = (union.discriminator?.values ?? []).compactMap { value in
            rest.firstIndex(of: value.member).map { Schema.Discriminator.Value(value: value.value, member: $0) }
        }
        return .union(result)
    }
}
