/// Writes the Swift of operations, enums and input types.
struct GraphQLWriter {
    let access: GeneratorOptions.Access
    let types: GraphQLTypeNames
    let schema: GraphQLSchemaIndex

    private var word: String { access == .public ? "public " : "" }
    private var head: String { "\(word)nonisolated" }

    private static let known: Set<String> = ["Int", "Double", "String", "Bool"]

    // MARK: Operations

    /// The file of an operation.
    ///
    /// - Parameter document: The text that is sent, with the fragments.
    func file(_ operation: GraphQLOperationNode, _ name: String, _ shape: GraphQLShape, _ document: String) -> String {
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
        }
        text.space()
        maker(operation, name, &text)
        return text.text
    }

    private func imports(_ modules: [String], _ text: inout SourceText) {
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

    private func maker(_ operation: GraphQLOperationNode, _ name: String, _ text: inout SourceText) {
        let base = operation.kind == .subscription ? "GraphQLSubscription" : "GraphQLOperation"
        var names = NameTable.members()
        let properties = operation.variables.map { names.take(SwiftName.member($0.name.text)) }
        let parameters = zip(operation.variables, properties).map { variable, property in
            "\(SwiftLiteral.label(property)): \(type(variable.type, isOptional: variable.hasDefault))"
                + (isOptional(variable) ? " = nil" : "")
        }
        let values = zip(operation.variables, properties).map { variable, property in
            "\(SwiftLiteral.string(variable.name.text)): \(SwiftLiteral.identifier(property))"
        }
        text.block("nonisolated extension \(base) where Value == \(name).Data") { text in
            text.doc("Makes the \(operation.kind.rawValue) `\(operation.name.text)`.")
            let function = SwiftLiteral.identifier(SwiftName.member(operation.name.text))
            text.list("\(word)static func \(function)(", parameters, ") -> Self {")
            text.indented { text in
                let call = ".\(operation.kind.rawValue)(\(name).document"
                if values.isEmpty { return text.line(call + ")") }
                text.call("\(call), variables: [", values, "])")
            }
            text.line("}")
        }
    }

    private func isOptional(_ variable: GraphQLVariable) -> Bool {
        if case .nonNull = variable.type { variable.hasDefault } else { true }
    }

    private func type(_ type: GraphQLType, isOptional: Bool = false) -> String {
        GraphQLTypeNames.text(type, base(of: type), isOptional: isOptional)
    }

    private func base(of type: GraphQLType) -> String {
        schema.types[type.name.text].map(types.name) ?? "JSONValue"
    }

    // MARK: Imports

    /// Whether a type needs more than the standard library and the generated types.
    private func isForeign(_ type: GraphQLType) -> Bool {
        schema.types[type.name.text]?.kind == .scalar && !Self.known.contains(base(of: type))
            && base(of: type) != "GraphQLUpload"
    }

    private func uses(_ shape: GraphQLShape) -> Bool {
        shape.members.contains { member in
            member.shape.map(uses) ?? isForeignText(member.type)
        } || shape.variants.contains { uses($0.shape) }
    }

    private func isForeignText(_ text: String) -> Bool {
        let base = text.filter { !"[]?".contains($0) }
        let isOurs = schema.types.values.contains { $0.kind == .enum && types.name(of: $0) == base }
        return !isOurs && !Self.known.contains(base)
    }

    // MARK: Data

    private func structure(_ shape: GraphQLShape, _ text: inout SourceText) {
        text.block("\(head) struct \(shape.name): Decodable, Sendable") { text in
            for member in shape.members {
                text.doc(member.words)
                text.line("\(word)let \(SwiftLiteral.identifier(member.property)): \(member.type)")
            }
            for variant in shape.variants {
                text.doc("What is selected of \(variant.typeNames.joined(separator: ", ")); `nil` for other types.")
                text.line("\(word)let \(variant.property): \(variant.shape.name)?")
            }
            for nested in shape.members.compactMap(\.shape) + shape.variants.map(\.shape) {
                text.space()
                structure(nested, &text)
            }
            keys(shape, &text)
            if !shape.variants.isEmpty { initializer(shape, &text) }
        }
    }

    private func keys(_ shape: GraphQLShape, _ text: inout SourceText) {
        let needsTypename = !shape.variants.isEmpty && !shape.members.contains { $0.key == "__typename" }
        guard needsTypename || !shape.variants.isEmpty || shape.members.contains(where: { $0.key != $0.property })
        else {
            return
        }
        text.space()
        text.block("private nonisolated enum CodingKeys: String, CodingKey") { text in
            if needsTypename { text.line("case typename = \"__typename\"") }
            for member in shape.members { keyCase(member.property, member.key, &text) }
        }
    }

    private func keyCase(_ property: String, _ key: String, _ text: inout SourceText) {
        let value = property == key ? "" : " = \(SwiftLiteral.string(key))"
        text.line("case \(SwiftLiteral.identifier(property))\(value)")
    }

    private func initializer(_ shape: GraphQLShape, _ text: inout SourceText) {
        text.space()
        text.block("\(word)init(from decoder: any Decoder) throws") { text in
            text.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            for member in shape.members {
                let isOptional = member.type.hasSuffix("?")
                let type = isOptional ? String(member.type.dropLast()) : member.type
                let property = SwiftLiteral.identifier(member.property)
                text.line(
                    "self.\(property) = try container.\(isOptional ? "decodeIfPresent" : "decode")"
                        + "(\(type).self, forKey: .\(property))")
            }
            text.line("let name = try container.decode(String.self, forKey: .typename)")
            for variant in shape.variants {
                let names = variant.typeNames.map(SwiftLiteral.string).joined(separator: ", ")
                text.line("self.\(variant.property) =")
                text.line("    [\(names)].contains(name) ? try \(variant.shape.name)(from: decoder) : nil")
            }
        }
    }

    // MARK: Types

    /// The file of enums and input types; `nil` if there are none.
    func types(_ definitions: [GraphQLDefinition]) -> String? {
        if definitions.isEmpty { return nil }
        var text = SourceText()
        let fields = definitions.filter { $0.kind == .input }.flatMap(\.fields)
        if fields.contains(where: { isForeign($0.type) }) { imports(["Godwit"], &text) }
        let isBoxed = definitions.contains { type in type.fields.contains { isRecursive($0, in: type) } }
        if isBoxed || fields.contains(where: { base(of: $0.type) == "GraphQLUpload" }) {
            imports(["GodwitGraphQL"], &text)
        }
        for definition in definitions {
            text.space()
            definition.kind == .enum ? enumeration(definition, &text) : input(definition, &text)
        }
        return text.text
    }

    private func isRecursive(_ field: GraphQLFieldDefinition, in type: GraphQLDefinition) -> Bool {
        type.kind == .input && GraphQLInputs.isRecursive(field, in: type, schema)
    }

    private func boxed(_ type: String) -> String {
        type.hasSuffix("?") ? "GraphQLIndirect<\(type.dropLast())>?" : "GraphQLIndirect<\(type)>"
    }

    private func enumeration(_ definition: GraphQLDefinition, _ text: inout SourceText) {
        var names = NameTable.members(["unknown", "rawValue", "init", "self"])
        let cases = definition.cases.map { ($0.text, SwiftLiteral.identifier(names.take(SwiftName.member($0.text)))) }
        text.doc("The enum `\(definition.name.text)`. A value that this code doesn't know is `unknown`.")
        text.block("\(head) enum \(types.name(of: definition)): RawRepresentable, Codable, Hashable, Sendable") {
            text in
            for (_, name) in cases { text.line("case \(name)") }
            text.line("case unknown(String)")
            text.space()
            text.block("\(word)init(rawValue: String)") { text in
                text.line("switch rawValue {")
                for (raw, name) in cases { text.line("case \(SwiftLiteral.string(raw)): self = .\(name)") }
                text.line("default: self = .unknown(rawValue)")
                text.line("}")
            }
            text.space()
            text.block("\(word)var rawValue: String") { text in
                text.line("switch self {")
                for (raw, name) in cases { text.line("case .\(name): \(SwiftLiteral.string(raw))") }
                text.line("case .unknown(let value): value")
                text.line("}")
            }
        }
    }

    private func input(_ definition: GraphQLDefinition, _ text: inout SourceText) {
        var names = NameTable.members(["CodingKeys"])
        let members = definition.fields.map { field in
            (field, names.take(SwiftName.member(field.name.text)), type(field.type, isOptional: field.hasDefault))
        }
        text.doc("The input type `\(definition.name.text)`. A `nil` is omitted, so that the server's default applies.")
        text.block("\(head) struct \(types.name(of: definition)): Encodable, Sendable") { text in
            for (field, name, type) in members {
                text.doc(field.description)
                let kept = isRecursive(field, in: definition) ? boxed(type) : type
                text.line("\(word)var \(SwiftLiteral.identifier(name)): \(kept)")
            }
            text.space()
            let parameters = members.map { _, name, type in
                "\(SwiftLiteral.label(name)): \(type)" + (type.hasSuffix("?") ? " = nil" : "")
            }
            text.list("\(word)init(", parameters, ") {")
            text.indented { text in
                for (field, name, type) in members {
                    let name = SwiftLiteral.identifier(name)
                    guard isRecursive(field, in: definition) else {
                        text.line("self.\(name) = \(name)")
                        continue
                    }
                    let isOptional = type.hasSuffix("?")
                    text.line(
                        "self.\(name) = "
                            + (isOptional ? "\(name).map { GraphQLIndirect($0) }" : "GraphQLIndirect(\(name))"))
                }
            }
            text.line("}")
            guard members.contains(where: { $0.0.name.text != $0.1 }) else { return }
            text.space()
            text.block("private nonisolated enum CodingKeys: String, CodingKey") { text in
                for (field, name, _) in members { keyCase(name, field.name.text, &text) }
            }
        }
    }
}
