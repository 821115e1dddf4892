/// The shape of the data of an operation that fits the schema.
struct GraphQLShaper {
    /// More selections than this are refused: fragments that use others twice grow without bounds.
    private static let selectionLimit = 100_000

    /// A fragment as a type that operations share.
    struct Fragment: Sendable {
        let shape: GraphQLShape
        let typenames: [String: Set<Int>]
        let usedTypes: Set<String>
    }

    let schema: GraphQLSchemaIndex
    let fragments: [String: GraphQLFragmentNode]
    let types: GraphQLTypeNames
    /// The fragments that are types, as far as they are known.
    private(set) var shared: [String: Fragment]
    /// Where `__typename` has to be inserted, by file.
    private(set) var typenames: [String: Set<Int>] = [:]
    private(set) var usedTypes: Set<String> = []
    private var count = 0

    /// - Parameter shared: What other operations made of fragments.
    init(
        _ schema: GraphQLSchemaIndex, _ fragments: [String: GraphQLFragmentNode], _ types: GraphQLTypeNames,
        shared: [String: Fragment] = [:]
    ) {
        self.schema = schema
        self.fragments = fragments
        self.types = types
        self.shared = shared
    }

    /// The data of a whole operation.
    mutating func data(of operation: GraphQLOperationNode) throws(GenerationError) -> GraphQLShape {
        let root = try schema.root(operation.kind, for: operation.name)
        let source = GraphQLSource(set: operation.selections, file: operation.text.file.name)
        var names = NameTable.types(types.taken)
        return try shape(of: root, [source], named: names.take("Data"))
    }

    /// The shape of a fragment. Ends, as no fragment contains itself.
    private mutating func shape(ofFragment name: String) throws(GenerationError) -> GraphQLShape? {
        if shared[name] == nil, let fragment = fragments[name] {
            var shaper = GraphQLShaper(schema, fragments, types, shared: shared)
            let source = GraphQLSource(set: fragment.selections, file: fragment.text.file.name)
            let shape = try shaper.shape(
                of: try schema.type(fragment.on), [source], named: types.name(ofFragment: name))
            shared = shaper.shared
            shared[name] = Fragment(shape: shape, typenames: shaper.typenames, usedTypes: shaper.usedTypes)
        }
        guard let fragment = shared[name] else { return nil }
        typenames.merge(fragment.typenames) { $0.union($1) }
        usedTypes.formUnion(fragment.usedTypes)
        return fragment.shape
    }

    private mutating func shape(
        of type: GraphQLDefinition, _ sources: [GraphQLSource], named name: String
    ) throws(GenerationError) -> GraphQLShape {
        let collection = try collection(of: type, sources)
        return try shape(collection, of: type, sources, named: name)
    }

    /// - Parameter isVariant: Whether the shape is that of some of the possible types.
    private mutating func shape(
        _ collection: GraphQLCollection, of type: GraphQLDefinition, _ sources: [GraphQLSource], named name: String,
        isVariant: Bool = false
    ) throws(GenerationError) -> GraphQLShape {
        var shape = GraphQLShape(name: name)
        var names = NameTable.members(["typename", "CodingKeys"], in: .readOnlyMember)
        var typeNames = NameTable.types(types.taken + [name])
        for key in collection.keys {
            guard let collected = collection.fields[key] else { continue }
            shape.members.append(try member(collected, key, &names, &typeNames))
        }
        for part in collection.parts { try add(part, of: collection, to: &shape, &names) }
        guard !isVariant, !collection.conditions.isEmpty else { return shape }
        for source in sources where !source.set.hasTypename {
            typenames[source.file, default: []].insert(source.set.start)
        }
        for condition in collection.conditions {
            shape.variants.append(
                try variant(
                    condition, of: type, sources, collection.parts,
                    hasTypename: collection.fields["__typename"] != nil, &names, &typeNames))
        }
        return shape
    }

    private mutating func variant(
        _ condition: GraphQLName, of type: GraphQLDefinition, _ sources: [GraphQLSource], _ parts: [String],
        hasTypename: Bool, _ names: inout NameTable, _ typeNames: inout NameTable
    ) throws(GenerationError) -> GraphQLShape.Variant {
        let possible = schema.possibleTypes(of: try schema.type(condition))
        var collection = try collection(of: type, sources, as: possible)
        // The value has these whatever its type is.
        collection.parts.removeAll(where: parts.contains)
        if hasTypename { collection.remove("__typename") }
        let (base, shape) = try object(
            collection, of: type, sources, "As" + SwiftName.type(condition.text), &typeNames, isVariant: true)
        return GraphQLShape.Variant(
            property: names.take(SwiftName.member("as_" + condition.text)), typeNames: possible.sorted(), type: base,
            shape: shape)
    }

    // MARK: Collecting

    private mutating func collection(
        of type: GraphQLDefinition, _ sources: [GraphQLSource], as variant: Set<String>? = nil
    ) throws(GenerationError) -> GraphQLCollection {
        var collection = GraphQLCollection()
        let own = variant ?? schema.possibleTypes(of: type)
        // If all selections of the object have the same conditions, they are met whenever it is there.
        let isSame = sources.dropFirst().allSatisfy { $0.conditions == sources.first?.conditions }
        for var source in sources {
            if isSame { source.conditions = [] }
            try collect(source, of: type, as: own, into: &collection)
        }
        return collection
    }

    private mutating func collect(
        _ source: GraphQLSource, of type: GraphQLDefinition, as own: Set<String>,
        into collection: inout GraphQLCollection
    ) throws(GenerationError) {
        for selection in source.set.selections {
            count += 1
            guard count <= Self.selectionLimit else {
                throw GenerationError(
                    .invalid, "the operation selects more than \(Self.selectionLimit) fields with its fragments",
                    at: SourcePlace(file: source.file))
            }
            switch selection {
            case .field(let node):
                if source.applies { try add(node, of: type, source, to: &collection) }
            case .inline(let on, let set, let directives):
                var inner = source
                inner.set = set
                inner.conditions += directives.conditions
                try collect(inner, on: on, in: type, as: own, into: &collection)
            case .spread(let name, let directives):
                guard let fragment = fragments[name.text] else { continue }
                var inner = GraphQLSource(
                    set: fragment.selections, file: fragment.text.file.name,
                    conditions: source.conditions + directives.conditions, applies: source.applies, part: source.part)
                if inner.part == nil, inner.conditions.isEmpty { inner.part = name.text }
                try collect(inner, on: fragment.on, in: type, as: own, into: &collection)
            }
        }
    }

    private mutating func collect(
        _ source: GraphQLSource, on condition: GraphQLName?, in type: GraphQLDefinition, as own: Set<String>,
        into collection: inout GraphQLCollection
    ) throws(GenerationError) {
        guard let condition else { return try collect(source, of: type, as: own, into: &collection) }
        let other = try schema.type(condition)
        let possible = schema.possibleTypes(of: other)
        let covers = possible.isSuperset(of: own)
        if !covers, !possible.isDisjoint(with: own) { collection.insert(condition, from: source) }
        var source = source
        source.applies = source.applies && covers
        if source.applies, let part = source.part { collection.insert(part) }
        try collect(source, of: other, as: own, into: &collection)
    }

    private func add(
        _ node: GraphQLFieldNode, of type: GraphQLDefinition, _ source: GraphQLSource,
        to collection: inout GraphQLCollection
    ) throws(GenerationError) {
        let field = try schema.field(node.name, of: type)
        let conditions = source.conditions + node.directives.conditions
        let sources = node.selections.map { [GraphQLSource(set: $0, file: source.file, conditions: conditions)] } ?? []
        collection.insert(
            GraphQLCollection.Field(
                field: field, isConditional: !conditions.isEmpty, sources: sources, parts: [source.part]),
            as: node.key.text)
    }

    // MARK: Members

    private mutating func member(
        _ collected: GraphQLCollection.Field, _ key: String, _ names: inout NameTable, _ typeNames: inout NameTable
    ) throws(GenerationError) -> GraphQLShape.Member {
        let definition = try schema.type(collected.field.type.name)
        var (base, shape): (String, GraphQLShape?) = (types.name(of: definition), nil)
        if collected.sources.isEmpty {
            usedTypes.insert(definition.name.text)
        } else {
            let name = SwiftName.type(collected.field.type.isList ? EnglishNoun.singular(ofName: key) : key)
            let collection = try collection(of: definition, collected.sources)
            (base, shape) = try object(collection, of: definition, collected.sources, name, &typeNames)
        }
        return GraphQLShape.Member(
            key: key, property: key == "__typename" ? "typename" : names.take(SwiftName.member(key)), base: base,
            field: collected.field, isConditional: collected.isConditional, shape: shape,
            isLeaf: collected.sources.isEmpty)
    }

    /// The type of an object: that of a fragment if nothing else is selected, otherwise one of its own.
    private mutating func object(
        _ collection: GraphQLCollection, of type: GraphQLDefinition, _ sources: [GraphQLSource], _ name: String,
        _ typeNames: inout NameTable, isVariant: Bool = false
    ) throws(GenerationError) -> (base: String, shape: GraphQLShape?) {
        if let part = collection.onlyPart(isVariant: isVariant), let shape = try shape(ofFragment: part) {
            return (shape.name, nil)
        }
        let base = typeNames.take(name)
        return (base, try shape(collection, of: type, sources, named: base, isVariant: isVariant))
    }

    /// Adds a fragment that is selected with others, and leaves to it the members that it has.
    private mutating func add(
        _ name: String, of collection: GraphQLCollection, to shape: inout GraphQLShape, _ names: inout NameTable
    ) throws(GenerationError) {
        guard let fragment = try self.shape(ofFragment: name) else { return }
        let part = GraphQLShape.Part(property: names.take(SwiftName.member(name)), type: fragment.name)
        shape.parts.append(part)
        for (index, member) in shape.members.enumerated() where member.part == nil {
            guard let same = fragment.members.first(where: { $0.key == member.key }),
                same.property == member.property, same.isConditional == member.isConditional,
                same.field.type == member.field.type,
                member.isLeaf || collection.fields[member.key]?.parts == [name]
            else { continue }
            shape.members[index].part = part.property
            shape.members[index].base = same.shape == nil ? same.base : "\(fragment.name).\(same.base)"
            shape.members[index].shape = nil
        }
    }
}
