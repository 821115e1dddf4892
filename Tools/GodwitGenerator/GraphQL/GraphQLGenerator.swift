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

    /// The command line that repeats the generation, for `GENERATED.md`; `nil` leaves it out.
    public var command: String?

    /// Creates a generator.
    public init(access: GeneratorOptions.Access = .internal, scalars: [String: String] = [:], command: String? = nil) {
        self.access = access
        self.scalars = scalars
        self.command = command
    }

    /// Generates a file for each operation, one for the enums and input types that they use, and `GENERATED.md`.
    ///
    /// - Throws: `.invalid` for documents that aren't GraphQL or don't fit the schema: all mistakes of all operations, in
    ///   ``GenerationError/others``.
    public func generate(
        schema: SourceFile, documents: [SourceFile]
    ) throws(GenerationError) -> Generation {
        let schema = try GraphQLSchemaIndex(schema)
        var (operations, fragments) = ([GraphQLOperationNode](), [String: GraphQLFragmentNode]())
        var errors = GenerationErrors()
        for document in documents {
            errors.collect { () throws(GenerationError) in
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
        }
        // What a document lacks would be missed in others.
        try errors.check()
        guard !operations.isEmpty else {
            let place = documents.first.map { SourcePlace(file: $0.name) }
            throw GenerationError(.invalid, "the documents have no operation", at: place)
        }
        let (checks, unused) = try check(operations, fragments, schema)
        let generation = try generate(schema, zip(operations, checks), fragments, unused)
        return reported(generation, from: documents, operations.count)
    }

    /// Checks all operations, and the fragments that none of them uses, as one that doesn't fit is a mistake.
    ///
    /// Throws all mistakes together. Returns the checks of the operations, and the fragments that none uses, by name.
    private func check(
        _ operations: [GraphQLOperationNode], _ fragments: [String: GraphQLFragmentNode], _ schema: GraphQLSchemaIndex
    ) throws(GenerationError) -> ([GraphQLOperationCheck], unused: [GraphQLFragmentNode]) {
        var errors = GenerationErrors()
        errors.collect { () throws(GenerationError) in try checkScalars(schema) }
        var (names, checks) = (Set<String>(), [GraphQLOperationCheck]())
        for operation in operations {
            errors.collect { () throws(GenerationError) in
                guard names.insert(operation.name.text).inserted else {
                    throw GenerationError(
                        .invalid, "two operations are named \(operation.name.text)", at: operation.name.place)
                }
                var check = GraphQLOperationCheck(schema, fragments)
                defer { checks.append(check) }
                try check.check(operation)
            }
        }
        let used = Set(checks.flatMap(\.usedFragments))
        let unused = fragments.filter { !used.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        for fragment in unused where !errors.isFull {
            errors.collect { () throws(GenerationError) in
                var check = GraphQLOperationCheck(schema, fragments)
                try check.check(fragment)
            }
        }
        try errors.check()
        return (checks, unused)
    }

    private func generate(
        _ schema: GraphQLSchemaIndex, _ operations: some Sequence<(GraphQLOperationNode, GraphQLOperationCheck)>,
        _ fragments: [String: GraphQLFragmentNode], _ unused: [GraphQLFragmentNode]
    ) throws(GenerationError) -> Generation {
        var taken = NameTable.types(GraphQLTypeNames.taken(scalars))
        // The functions that make operations, by the type that they extend.
        var makers: [String: NameTable] = [:]
        let types = GraphQLTypeNames(schema, fragments: fragments.keys, scalars: scalars, taken: &taken)
        let writer = GraphQLWriter(access: access, types: types, schema: schema)
        var (files, used) = ([GeneratedFile](), Set<String>())
        var shared: [String: GraphQLShaper.Fragment] = [:]
        for (operation, check) in operations {
            var shaper = GraphQLShaper(schema, fragments, types, shared: shared)
            let shape = try shaper.data(of: operation)
            shared = shaper.shared
            used.formUnion(shaper.usedTypes)
            used.formUnion(operation.variables.map(\.type.name.text))
            let suffix = SwiftName.type(operation.kind.rawValue)
            let base = SwiftName.type(operation.name.text)
            let name = taken.take(base.hasSuffix(suffix) ? base : base + suffix)
            let parts = check.usedFragments.sorted().compactMap { fragments[$0]?.text }
            let text = ([operation.text] + parts).map { part in
                part.text(insertingAt: shaper.typenames[part.file.name] ?? [])
            }.joined(separator: "\n\n")
            let maker = makers[operation.kind.swiftType, default: .members(GraphQLWriter.reservedMakers)].take(
                SwiftName.member(operation.name.text))
            let code = writer.file(operation, name, maker: maker, shape, text)
            files.append(GeneratedFile(path: "\(name).swift", text: code))
        }
        for (name, fragment) in shared {
            guard let node = fragments[name] else { continue }
            files.append(GeneratedFile(path: "\(fragment.shape.name).swift", text: writer.file(node, fragment.shape)))
        }
        let inputs = GraphQLInputs(schema, used)
        if let text = writer.types(inputs.types) { files.append(GeneratedFile(path: "GraphQLTypes.swift", text: text)) }
        used.formUnion(inputs.types.flatMap { $0.fields.map(\.type.name.text) })
        let notes = unused.map { fragment in
            Note(.omission, "no operation uses the fragment \(fragment.name.text)", at: fragment.name.place)
        }
        return Generation(
            name: "GraphQL", files: files.sorted { $0.path < $1.path }, notes: notes + unmapped(used, schema, types))
    }

    /// Adds `GENERATED.md`.
    private func reported(
        _ generation: Generation, from documents: [SourceFile], _ operationCount: Int
    ) -> Generation {
        let names = documents.map { $0.name.split(separator: "/").last.map(String.init) ?? $0.name }
        let page = GeneratedPage(
            title: "GraphQL operations", source: names.joined(separator: ", "),
            counts: [("operations", operationCount), ("files", generation.files.count + 1)],
            checks: ["- The guesses above, against the API."], notes: generation.notes, command: command)
        var generation = generation
        generation.files = (generation.files + [page.file]).sorted { $0.path < $1.path }
        return generation
    }

    /// Notes the custom scalars without a type in Swift.
    private func unmapped(_ used: Set<String>, _ schema: GraphQLSchemaIndex, _ types: GraphQLTypeNames) -> [Note] {
        used.sorted().compactMap { name in
            guard let type = schema.types[name], type.kind == .scalar, scalars[name] == nil,
                types.name(of: type) == "JSONValue"
            else { return nil }
            let hint = "--scalar \(name)=TYPE makes it a Codable type, such as Date, URL or one of yours"
            return Note(.guess, "the scalar \(name) is JSONValue; \(hint)", at: type.name.place)
        }
    }

    /// Throws if a Swift type is given for what isn't a custom scalar.
    private func checkScalars(_ schema: GraphQLSchemaIndex) throws(GenerationError) {
        for name in scalars.keys.sorted() {
            if let type = schema.types[name], type.kind == .scalar, !schema.isBuiltIn(type) { continue }
            let reason =
                switch schema.types[name]?.kind {
                case nil: "the schema has no scalar \(name)"
                case .scalar: "\(name) is a scalar of GraphQL itself, whose Swift type is fixed"
                case let kind?: "\(name) is of the kind \(kind), not a scalar"
                }
            let known = schema.types.values.filter { $0.kind == .scalar && !schema.isBuiltIn($0) }.map(\.name.text)
            let hint =
                known.isEmpty
                ? "it has no custom scalars" : "custom scalars are \(known.sorted().prefix(10).joined(separator: ", "))"
            throw GenerationError(.invalid, "\(reason); \(hint)")
        }
    }
}
