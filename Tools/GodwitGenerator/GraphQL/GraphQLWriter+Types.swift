// Enums and input types.
extension GraphQLWriter {
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
            switch definition.kind {
            case .enum: enumeration(definition, &text)
            case _ where definition.isOneOf: choice(definition, &text)
            default: input(definition, &text)
            }
        }
        return text.text
    }

    func isRecursive(_ field: GraphQLFieldDefinition, in type: GraphQLDefinition) -> Bool {
        type.kind == .input && GraphQLInputs.isRecursive(field, in: type, schema)
    }

    /// Cases with these names would be taken for those of `Optional`.
    static let ofOptional = ["none", "some"]

    private func enumeration(_ definition: GraphQLDefinition, _ text: inout SourceText) {
        var names = NameTable.members(["unknown", "rawValue"] + Self.ofOptional)
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
}
