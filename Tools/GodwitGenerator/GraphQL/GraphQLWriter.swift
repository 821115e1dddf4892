/// Writes the Swift of operations.
struct GraphQLWriter {
    let access: GeneratorOptions.Access
    let types: GraphQLTypeNames
    let schema: GraphQLSchemaIndex

    var word: String { access == .public ? "public " : "" }
    var head: String { "\(word)nonisolated" }

    /// What the types of operations have already.
    static let reservedMakers = ["query", "mutation", "subscription", "init", "self", "Type", "Protocol"]

    private static let known: Set<String> = ["Int", "Double", "String", "Bool"]

    // MARK: Operations

    /// The file of an operation.
    ///
    /// - Parameters:
    ///   - maker: The function that makes the operation.
    ///   - document: The text that is sent, with the fragments.
    func file(
        _ operation: GraphQLOperationNode, _ name: String, maker: String, _ shape: GraphQLShape, _ document: String
    ) -> String {
        var text = SourceText()
        if uses(shape) || operation.variables.contains(where: { isForeign($0.type) }) { imports(["Godwit"], &text) }
        imports(["GodwitGraphQL"], &text)
        text.space()
        text.doc("The \(operation.kind.rawValue) `\(operation.name.text)`.")
        text.block("\(head) enum \(name)") { text in
            structure(shape, &text)
            text.space()
            text.doc("The text that is sent.")
            self.document(document, operation.name.text, &text)
            nullable(operation, &text)
        }
        text.space()
        self.maker(operation, "\(name).\(shape.name)", name, as: maker, &text)
        return text.text
    }

    func imports(_ modules: [String], _ text: inout SourceText) {
        for module in modules { text.line("\(word)import \(module)") }
    }

    /// As a raw literal whose delimiter the text doesn't contain.
    private func document(_ document: String, _ name: String, _ text: inout SourceText) {
        var marks = "#"
        while document.contains("\"\"\"" + marks) || document.contains("\\" + marks) { marks += "#" }
        text.line("\(word)static let document = GraphQLDocument(")
        text.indented { text in
            text.line("\(marks)\"\"\"")
            for line in document.split(separator: "\n", omittingEmptySubsequences: false) { text.line(String(line)) }
            text.line("\"\"\"\(marks), name: \(SwiftLiteral.string(name)))")
        }
    }

    private func maker(
        _ operation: GraphQLOperationNode, _ data: String, _ name: String, as maker: String, _ text: inout SourceText
    ) {
        var names = NameTable.members(["allCases", "nulls"], in: .readOnlyMember)
        let properties = operation.variables.map { names.take(SwiftName.member($0.name.text)) }
        var parameters = zip(operation.variables, properties).map { variable, property in
            "\(SwiftLiteral.label(property)): \(type(variable.type, isOptional: variable.hasDefault))"
                + (isOptional(variable) ? " = nil" : "")
        }
        let values = zip(operation.variables, properties).map { variable, property in
            "\(SwiftLiteral.string(variable.name.text)): \(SwiftLiteral.identifier(property))"
        }
        let hasNulls = operation.variables.contains { Self.isNullable($0.type) }
        if hasNulls { parameters.append("nulls: Set<\(name).Nullable> = []") }
        text.block("nonisolated extension \(operation.kind.swiftType) where Value == \(data)") { text in
            let nulls = hasNulls ? " \(Self.nullsHint)" : ""
            text.doc("Makes the \(operation.kind.rawValue) `\(operation.name.text)`.\(nulls)")
            text.list("\(word)static func \(SwiftLiteral.identifier(maker))(", parameters, ") -> Self {")
            text.indented { text in
                let call = ".\(operation.kind.rawValue)("
                if values.isEmpty { return text.line("\(call)\(name).document)") }
                let list = "[" + values.joined(separator: ", ") + "]"
                let whole = "\(call)\(name).document, variables: \(list))"
                if !hasNulls, text.fits(whole) { return text.line(whole) }
                text.line(call)
                text.indented { text in
                    text.line("\(name).document,")
                    guard hasNulls else { return text.array("variables: [", values, "])") }
                    let nulls = "nulls: nulls.map(\\.rawValue)))"
                    let line = "variables: GraphQLVariables(\(list), \(nulls)"
                    if text.fits(line) { return text.line(line) }
                    text.line("variables: GraphQLVariables(")
                    text.indented { $0.array("[", values, "], \(nulls)") }
                }
            }
            text.line("}")
        }
    }

    /// The names of the variables that can be `null`, by their members.
    private func nullable(_ operation: GraphQLOperationNode, _ text: inout SourceText) {
        var names = NameTable.members(["allCases", "nulls"], in: .readOnlyMember)
        let members = operation.variables.map { (names.take(SwiftName.member($0.name.text)), $0) }
        let nullable = members.filter { Self.isNullable($0.1.type) }.map { ($0.0, $0.1.name.text) }
        guard !nullable.isEmpty else { return }
        text.space()
        text.doc("The variables that can be `null`.")
        text.block("\(head) enum Nullable: String, CaseIterable, Sendable") { text in
            for (property, name) in nullable { keyCase(property, name, &text) }
        }
    }

    static let nullsHint = "A `nil` is omitted, or sent as `null` if `nulls` names it."

    static func isNullable(_ type: GraphQLType) -> Bool {
        if case .nonNull = type { false } else { true }
    }

    private func isOptional(_ variable: GraphQLVariable) -> Bool {
        Self.isNullable(variable.type) || variable.hasDefault
    }

    func type(_ type: GraphQLType, isOptional: Bool = false) -> String {
        GraphQLTypeNames.text(type, base(of: type), isOptional: isOptional)
    }

    func base(of type: GraphQLType) -> String {
        schema.types[type.name.text].map(types.name) ?? "JSONValue"
    }

    // MARK: Imports

    /// Whether a type needs more than the standard library and the generated types.
    func isForeign(_ type: GraphQLType) -> Bool {
        schema.types[type.name.text]?.kind == .scalar && !Self.known.contains(base(of: type))
            && base(of: type) != "GraphQLUpload"
    }

    func uses(_ shape: GraphQLShape) -> Bool {
        shape.members.contains { member in
            member.shape.map(uses) ?? (member.isLeaf && isForeign(member.field.type))
        } || shape.variants.contains { $0.shape.map(uses) == true }
    }
}
