/// The data of a selection set: a struct in Swift.
struct GraphQLShape: Sendable {
    struct Member: Sendable {
        let key: String
        let property: String
        let type: String
        let shape: GraphQLShape?
        let words: String?
    }

    /// What is selected for some of the types that a value can have.
    struct Variant: Sendable {
        let property: String
        let typeNames: [String]
        let shape: GraphQLShape
    }

    let name: String
    var members: [Member] = []
    var variants: [Variant] = []
}

/// The shape of the data of an operation that fits the schema.
struct GraphQLShaper {
    /// More selections than this are refused: fragments that use others twice grow without bounds.
    private static let selectionLimit = 100_000

    let schema: GraphQLSchemaIndex
    let fragments: [String: GraphQLFragmentNode]
    let types: GraphQLTypeNames
    /// Where `__typename` has to be inserted, by file.
    private(set) var typenames: [String: Set<Int>] = [:]
    private(set) var usedTypes: Set<String> = []
    private var count = 0

    init(_ schema: GraphQLSchemaIndex, _ fragments: [String: GraphQLFragmentNode], _ types: GraphQLTypeNames) {
        (self.schema, self.fragments, self.types) = (schema, fragments, types)
    }

    /// A selection set with the file it stands in.
    struct Source: Sendable {
        let set: GraphQLSelectionSet
        let file: String
        /// What can leave the set out, or delay it, up to the same object of the result.
        var conditions: [String] = []
    }

    /// A field with all of its selections.
    private struct Collected {
        let node: GraphQLFieldNode
        let field: GraphQLFieldDefinition
        /// Whether each selection has a condition.
        var isConditional: Bool
        var sources: [Source]
    }

    /// The fields of a shape in order, and the types that conditions name.
    private struct Collection {
        var keys: [String] = []
        var fields: [String: Collected] = [:]
        var conditions: [GraphQLName] = []
    }

    /// - Parameter variant: The types that the value has, if only some of the possible ones are asked for.
    mutating func shape(
        of type: GraphQLDefinition, _ sources: [Source], named name: String, variant: Set<String>? = nil
    ) throws(GenerationError) -> GraphQLShape {
        var collection = Collection()
        let own = variant ?? schema.possibleTypes(of: type)
        // If all selections of the object have the same conditions, they are met whenever it is there.
        let isSame = sources.dropFirst().allSatisfy { $0.conditions == sources.first?.conditions }
        for var source in sources {
            if isSame { source.conditions = [] }
            try collect(source, of: type, as: own, applies: true, into: &collection)
        }
        var shape = GraphQLShape(name: name)
        var names = NameTable.members(["typename", "CodingKeys"])
        var typeNames = NameTable.types(types.taken + [name])
        for key in collection.keys {
            guard let collected = collection.fields[key] else { continue }
            shape.members.append(try member(collected, key, &names, &typeNames))
        }
        guard variant == nil, !collection.conditions.isEmpty else { return shape }
        for source in sources { typenames[source.file, default: []].insert(source.set.start) }
        for condition in collection.conditions {
            let possible = schema.possibleTypes(of: try schema.type(condition))
            let name = typeNames.take("As" + SwiftName.type(condition.text))
            shape.variants.append(
                GraphQLShape.Variant(
                    property: names.take(SwiftName.member("as_" + condition.text)),
                    typeNames: possible.sorted(),
                    shape: try self.shape(of: type, sources, named: name, variant: possible)))
        }
        return shape
    }

    // MARK: Collecting

    private mutating func collect(
        _ source: Source, of type: GraphQLDefinition, as own: Set<String>, applies: Bool,
        into collection: inout Collection
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
                if applies { try add(node, of: type, source, to: &collection) }
            case .inline(let on, let set, let directives):
                let inner = Source(set: set, file: source.file, conditions: source.conditions + directives.conditions)
                try collect(inner, on: on, in: type, as: own, applies: applies, into: &collection)
            case .spread(let name, let directives):
                guard let fragment = fragments[name.text] else { continue }
                let inner = Source(
                    set: fragment.selections, file: fragment.text.file.name,
                    conditions: source.conditions + directives.conditions)
                try collect(inner, on: fragment.on, in: type, as: own, applies: applies, into: &collection)
            }
        }
    }

    private mutating func collect(
        _ source: Source, on condition: GraphQLName?, in type: GraphQLDefinition, as own: Set<String>, applies: Bool,
        into collection: inout Collection
    ) throws(GenerationError) {
        guard let condition else { return try collect(source, of: type, as: own, applies: applies, into: &collection) }
        let other = try schema.type(condition)
        let possible = schema.possibleTypes(of: other)
        let covers = possible.isSuperset(of: own)
        if !covers, !possible.isDisjoint(with: own),
            !collection.conditions.contains(where: { $0.text == condition.text })
        {
            collection.conditions.append(condition)
        }
        try collect(source, of: other, as: own, applies: applies && covers, into: &collection)
    }

    private func add(
        _ node: GraphQLFieldNode, of type: GraphQLDefinition, _ source: Source, to collection: inout Collection
    ) throws(GenerationError) {
        let field = try schema.field(node.name, of: type)
        let conditions = source.conditions + node.directives.conditions
        let sources = node.selections.map { [Source(set: $0, file: source.file, conditions: conditions)] } ?? []
        guard var known = collection.fields[node.key.text] else {
            collection.keys.append(node.key.text)
            collection.fields[node.key.text] = Collected(
                node: node, field: field, isConditional: !conditions.isEmpty, sources: sources)
            return
        }
        known.isConditional = known.isConditional && !conditions.isEmpty
        known.sources += sources
        collection.fields[node.key.text] = known
    }

    // MARK: Members

    private mutating func member(
        _ collected: Collected, _ key: String, _ names: inout NameTable, _ typeNames: inout NameTable
    ) throws(GenerationError) -> GraphQLShape.Member {
        let definition = try schema.type(collected.field.type.name)
        var nested: GraphQLShape?
        let base: String
        if collected.sources.isEmpty {
            usedTypes.insert(definition.name.text)
            base = types.name(of: definition)
        } else {
            base = typeNames.take(SwiftName.type(key))
            nested = try shape(of: definition, collected.sources, named: base)
        }
        let type = GraphQLTypeNames.text(collected.field.type, base, isOptional: collected.isConditional)
        return GraphQLShape.Member(
            key: key, property: key == "__typename" ? "typename" : names.take(SwiftName.member(key)), type: type,
            shape: nested, words: collected.field.description)
    }
}

/// The names of a schema's types in Swift.
struct GraphQLTypeNames: Sendable {
    /// What generated code uses, and types in it must not be named.
    private static let used = [
        "Any", "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys", "Date", "Decodable", "Decoder",
        "Double", "Encodable", "Encoder", "Error", "GraphQLDocument", "GraphQLIndirect", "GraphQLOperation",
        "GraphQLSubscription", "GraphQLUpload", "GraphQLVariables", "Hashable", "Int", "JSONValue", "Never", "Nullable",
        "Optional", "Protocol", "RawRepresentable", "Self", "Sendable", "Set", "String", "Type", "URL", "UUID", "Void",
    ]

    private var names: [String: String] = [:]
    /// The words in the Swift types of custom scalars.
    private let ofScalars: [String]

    /// The names that a nested type must not have.
    var taken: [String] { Self.used + ofScalars + names.values }

    /// The names at the top level of a module.
    static func taken(_ scalars: [String: String]) -> [String] {
        used + words(scalars) + ReservedNames.types + ["GraphQLTypes"]
    }

    private static func words(_ scalars: [String: String]) -> [String] {
        scalars.values.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init) }
    }

    /// - Parameter scalars: The Swift types of custom scalars.
    init(_ schema: GraphQLSchemaIndex, scalars: [String: String], taken: inout NameTable) {
        ofScalars = Self.words(scalars)
        names = ["Int": "Int", "Float": "Double", "String": "String", "Boolean": "Bool", "ID": "String"]
        for type in schema.types.values.sorted(by: { $0.name.text < $1.name.text }) where names[type.name.text] == nil {
            switch type.kind {
            case .enum, .input: names[type.name.text] = taken.take(SwiftName.type(type.name.text))
            case .scalar:
                names[type.name.text] =
                    scalars[type.name.text] ?? (type.name.text == "Upload" ? "GraphQLUpload" : "JSONValue")
            case .type, .interface, .union: continue
            }
        }
    }

    func name(of type: GraphQLDefinition) -> String { names[type.name.text] ?? "JSONValue" }

    /// A type with its lists and its nullability.
    static func text(_ type: GraphQLType, _ base: String, isOptional: Bool = false) -> String {
        switch type {
        case .nonNull(let type): isOptional ? text(type, base) : required(type, base)
        default: required(type, base) + "?"
        }
    }

    private static func required(_ type: GraphQLType, _ base: String) -> String {
        switch type {
        case .named: base
        case .list(let element): "[\(text(element, base))]"
        case .nonNull(let type): required(type, base)
        }
    }
}
