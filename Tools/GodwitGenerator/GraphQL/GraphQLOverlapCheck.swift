/// Checks that fields with the same name in a result can be merged (GraphQL specification, section 5.3.2).
struct GraphQLOverlapCheck {
    /// More selections than this are refused: fragments that use others twice grow without bounds.
    private static let selectionLimit = 100_000

    private let schema: GraphQLSchemaIndex
    private let fragments: [String: GraphQLFragmentNode]
    private var count = 0

    init(_ schema: GraphQLSchemaIndex, _ fragments: [String: GraphQLFragmentNode]) {
        self.schema = schema
        self.fragments = fragments
    }

    /// A field that is selected of a type.
    private struct Entry {
        let node: GraphQLFieldNode
        let field: GraphQLFieldDefinition
        let parent: GraphQLDefinition

        var isOfObject: Bool { parent.kind == .type }
    }

    /// The fields by their names in the result, in order.
    private struct Collection {
        var keys: [String] = []
        var groups: [String: [Entry]] = [:]
        /// Each fragment counts once: its fields can be merged with themselves.
        var spread: Set<String> = []
    }

    private typealias Part = (set: GraphQLSelectionSet, type: GraphQLDefinition)

    /// Whether the fields can be those of one object.
    private enum Relation {
        case same, differentTypes
    }

    /// Checks a selection set. Its fields and types are those of the schema, and no fragment contains itself.
    func check(_ set: GraphQLSelectionSet, of type: GraphQLDefinition) throws(GenerationError) {
        var check = self
        try check.merge([(set, type)], .same)
    }

    private mutating func merge(_ parts: [Part], _ relation: Relation) throws(GenerationError) {
        var collection = Collection()
        for part in parts { try collect(part.set, of: part.type, into: &collection) }
        for key in collection.keys {
            let group = collection.groups[key] ?? []
            try checkShapes(group, key)
            let together = relation == .same ? Self.together(group) : []
            for group in together {
                try checkSame(group, key)
                try descend(group, .same)
            }
            if together.count != 1 { try descend(group, .differentTypes) }
        }
    }

    private mutating func descend(_ group: [Entry], _ relation: Relation) throws(GenerationError) {
        var parts: [Part] = []
        for entry in group {
            guard let set = entry.node.selections else { continue }
            parts.append((set, try schema.type(entry.field.type.name)))
        }
        if !parts.isEmpty { try merge(parts, relation) }
    }

    private mutating func collect(
        _ set: GraphQLSelectionSet, of type: GraphQLDefinition, into collection: inout Collection
    ) throws(GenerationError) {
        for selection in set.selections {
            count += 1
            switch selection {
            case .field(let node):
                guard count <= Self.selectionLimit else {
                    let reason = "the operation selects more than \(Self.selectionLimit) fields with its fragments"
                    throw GenerationError(.invalid, reason, at: node.name.place)
                }
                if collection.groups[node.key.text] == nil { collection.keys.append(node.key.text) }
                let entry = Entry(node: node, field: try schema.field(node.name, of: type), parent: type)
                collection.groups[node.key.text, default: []].append(entry)
            case .inline(let condition, let set, _):
                try collect(set, of: try condition.map(schema.type) ?? type, into: &collection)
            case .spread(let name, _):
                guard let fragment = fragments[name.text], collection.spread.insert(name.text).inserted else {
                    continue
                }
                try collect(fragment.selections, of: try schema.type(fragment.on), into: &collection)
            }
        }
    }

    /// The fields by object type, each with those of interfaces and unions, which can be of the same object.
    private static func together(_ group: [Entry]) -> [[Entry]] {
        let others = group.filter { !$0.isOfObject }
        let objects = Dictionary(grouping: group.filter(\.isOfObject)) { $0.parent.name.text }
        if objects.isEmpty { return [others] }
        return objects.sorted { $0.key < $1.key }.map { $0.value + others }
    }

    // MARK: Conflicts

    /// Results of all types must have the same shape.
    private func checkShapes(_ group: [Entry], _ key: String) throws(GenerationError) {
        guard let first = group.first else { return }
        for other in group.dropFirst() {
            let isEqual = try shape(first.field.type) == shape(other.field.type)
            guard !isEqual else { continue }
            let reason = "\(key) has the types \(first.field.type) and \(other.field.type); give one an alias"
            throw GenerationError(.invalid, reason, at: other.node.key.place)
        }
    }

    /// A type as text, in which all types with fields are the same.
    private func shape(_ type: GraphQLType) throws(GenerationError) -> String {
        let isLeaf = [.scalar, .enum].contains(try schema.type(type.name).kind)
        return isLeaf ? type.description : type.description.replacing(type.name.text, with: "{}")
    }

    private func checkSame(_ group: [Entry], _ key: String) throws(GenerationError) {
        guard let first = group.first else { return }
        for other in group.dropFirst() {
            guard first.field.name.text == other.field.name.text else {
                let reason =
                    "\(first.field.name.text) and \(other.field.name.text) are both named \(key); give one an alias"
                throw GenerationError(.invalid, reason, at: other.node.key.place)
            }
            guard Self.arguments(first.node) != Self.arguments(other.node) else { continue }
            let reason = "\(key) is selected with different arguments; give one an alias"
            throw GenerationError(.invalid, reason, at: other.node.key.place)
        }
    }

    private static func arguments(_ node: GraphQLFieldNode) -> [String] {
        node.arguments.map { "\($0.name.text): \($0.value)" }.sorted()
    }
}
