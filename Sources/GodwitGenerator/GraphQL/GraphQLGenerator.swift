/// Writes typed operations from a schema and documents with operations.
///
/// ```text
/// let generator = GraphQLGenerator(scalars: ["Moment": "Date"])
/// let generation = try generator.generate(schema: schema, documents: [articles])
/// ```
///
/// The operations are checked against the schema; errors name the file, the line and the column.
public struct GraphQLGenerator: Sendable {
    /// Who can use the declarations. `.internal` by default.
    public var access: GeneratorOptions.Access

    /// The Swift types of custom scalars. Others become `JSONValue`, and `Upload` becomes `GraphQLUpload`.
    public var scalars: [String: String]

    public init(access: GeneratorOptions.Access = .internal, scalars: [String: String] = [:]) {
        self.access = access
        self.scalars = scalars
    }

    /// Generates a file for each operation, and one for the enums and input types that they use.
    ///
    /// - Throws: `.invalid` for a document that isn't GraphQL or doesn't fit the schema.
    public func generate(
        schema: SourceFile, documents: [SourceFile]
    ) throws(GenerationError) -> Generation {
        let schema = try GraphQLSchemaIndex(schema)
        var (operations, fragments) = ([GraphQLOperationNode](), [String: GraphQLFragmentNode]())
        for document in documents {
            let parser = try GraphQLParser(document)
            if let definition = parser.definitions.first?.definition {
                throw GenerationError(.invalid, "a type stands between operations", at: definition.name.place)
            }
            operations += parser.operations
            for fragment in parser.fragments {
                guard fragments.updateValue(fragment, forKey: fragment.name.text) == nil else {
                    throw GenerationError(
                        .invalid, "the fragment \(fragment.name.text) is defined twice", at: fragment.name.place)
                }
            }
        }
        guard !operations.isEmpty else {
            let place = documents.first.map { SourcePlace(file: $0.name) }
            throw GenerationError(.invalid, "the documents have no operation", at: place)
        }
        return try generate(schema, operations, fragments)
    }

    private func generate(
        _ schema: GraphQLSchemaIndex, _ operations: [GraphQLOperationNode], _ fragments: [String: GraphQLFragmentNode]
    ) throws(GenerationError) -> Generation {
        var taken = NameTable.types(GraphQLTypeNames.reserved + ["Data", "GraphQLTypes"])
        let types = GraphQLTypeNames(schema, scalars: scalars, taken: &taken)
        let writer = GraphQLWriter(access: access, types: types, schema: schema)
        var (files, used, names) = ([GeneratedFile](), Set<String>(), Set<String>())
        for operation in operations {
            guard names.insert(operation.name.text).inserted else {
                throw GenerationError(
                    .invalid, "two operations are named \(operation.name.text)", at: operation.name.place)
            }
            let file = operation.text.file.name
            var shaper = GraphQLShaper(schema, fragments, types)
            let root = try schema.root(operation.kind, for: operation.name)
            let shape = try shaper.shape(of: root, [.init(set: operation.selections, file: file)], named: "Data")
            try check(operation, shaper.usedFragments.compactMap { fragments[$0] }, schema)
            used.formUnion(shaper.usedTypes)
            used.formUnion(operation.variables.map(\.type.name.text))
            let suffix = SwiftName.type(operation.kind.rawValue)
            let base = SwiftName.type(operation.name.text)
            let name = taken.take(base.hasSuffix(suffix) ? base : base + suffix)
            let parts = shaper.usedFragments.sorted().compactMap { fragments[$0]?.text }
            let text = ([operation.text] + parts).map { part in
                part.text(insertingAt: shaper.typenames[part.file.name] ?? [])
            }.joined(separator: "\n\n")
            files.append(GeneratedFile(path: "\(name).swift", text: writer.file(operation, name, shape, text)))
        }
        let inputs = GraphQLInputs(schema, used)
        if let text = writer.types(inputs.types) { files.append(GeneratedFile(path: "GraphQLTypes.swift", text: text)) }
        return Generation(name: "GraphQL", files: files.sorted { $0.path < $1.path }, notes: [])
    }

    /// Checks the variables: each is declared once, with a type for inputs, and each that is used is declared.
    private func check(
        _ operation: GraphQLOperationNode, _ fragments: [GraphQLFragmentNode], _ schema: GraphQLSchemaIndex
    ) throws(GenerationError) {
        var declared: Set<String> = []
        for variable in operation.variables {
            guard declared.insert(variable.name.text).inserted else {
                throw GenerationError(.invalid, "$\(variable.name.text) is declared twice", at: variable.name.place)
            }
            let type = try schema.type(variable.type.name)
            guard [.scalar, .enum, .input].contains(type.kind) else {
                throw GenerationError(
                    .invalid, "a variable can't be of the \(type.kind.rawValue) \(type.name.text)",
                    at: variable.type.name.place)
            }
        }
        for use in operation.uses + fragments.flatMap(\.uses) where !declared.contains(use.text) {
            throw GenerationError(
                .invalid, "$\(use.text) is not a variable of \(operation.name.text)", at: use.place)
        }
    }
}

/// The enums and input types that operations use, with those that these use.
struct GraphQLInputs {
    private(set) var types: [GraphQLDefinition] = []

    init(_ schema: GraphQLSchemaIndex, _ names: Set<String>) {
        var (open, seen) = (names.sorted(), names)
        while let name = open.popLast() {
            guard let type = schema.types[name], type.kind == .enum || type.kind == .input else { continue }
            types.append(type)
            for field in type.fields where seen.insert(field.type.name.text).inserted {
                open.append(field.type.name.text)
            }
        }
        types.sort { $0.name.text < $1.name.text }
    }

    /// Whether a field leads back to its own type without a list between, so that a struct would contain itself.
    static func isRecursive(_ field: GraphQLFieldDefinition, in type: GraphQLDefinition, _ schema: GraphQLSchemaIndex)
        -> Bool
    {
        guard !isList(field.type) else { return false }
        var (open, seen) = ([field.type.name.text], Set<String>())
        while let name = open.popLast() {
            if name == type.name.text { return true }
            guard let next = schema.types[name], next.kind == .input else { continue }
            open += next.fields.filter { !isList($0.type) && seen.insert($0.type.name.text).inserted }.map(
                \.type.name.text)
        }
        return false
    }

    private static func isList(_ type: GraphQLType) -> Bool {
        switch type {
        case .named: false
        case .list: true
        case .nonNull(let type): isList(type)
        }
    }
}
