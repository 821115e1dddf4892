// The data of operations.
extension GraphQLWriter {
    /// The file of a fragment that operations share.
    func file(_ fragment: GraphQLFragmentNode, _ shape: GraphQLShape) -> String {
        var text = SourceText()
        if uses(shape) { imports(["Godwit"], &text) }
        text.space()
        text.doc("What the fragment `\(fragment.name.text)` selects of `\(fragment.on.text)`.")
        structure(shape, &text)
        return text.text
    }

    func structure(_ shape: GraphQLShape, _ text: inout SourceText) {
        text.block("\(head) struct \(shape.name): Decodable, Sendable") { text in
            for member in shape.stored {
                text.doc(member.field.description)
                text.line("\(word)let \(SwiftLiteral.identifier(member.property)): \(member.type)")
            }
            for part in shape.parts { text.line("\(word)let \(SwiftLiteral.identifier(part.property)): \(part.type)") }
            for variant in shape.variants {
                text.doc("What is selected of \(variant.typeNames.joined(separator: ", ")); `nil` for other types.")
                text.line("\(word)let \(variant.property): \(variant.type)?")
            }
            if shape.members.contains(where: { $0.part != nil }) { text.space() }
            for member in shape.members { computed(member, &text) }
            for nested in shape.members.compactMap(\.shape) + shape.variants.compactMap(\.shape) {
                text.space()
                structure(nested, &text)
            }
            keys(shape, &text)
            if !shape.variants.isEmpty || !shape.parts.isEmpty { initializer(shape, &text) }
        }
    }

    /// A member that a part has.
    private func computed(_ member: GraphQLShape.Member, _ text: inout SourceText) {
        guard let part = member.part else { return }
        let property = SwiftLiteral.identifier(member.property)
        text.doc(member.field.description)
        text.line("\(word)var \(property): \(member.type) { \(SwiftLiteral.identifier(part)).\(property) }")
    }

    private func keys(_ shape: GraphQLShape, _ text: inout SourceText) {
        let isWritten = !shape.variants.isEmpty || !shape.parts.isEmpty
        let needsTypename = !shape.variants.isEmpty && !shape.stored.contains { $0.key == "__typename" }
        guard needsTypename || !shape.stored.isEmpty,
            isWritten || shape.stored.contains(where: { $0.key != $0.property })
        else { return }
        text.space()
        text.block("private nonisolated enum CodingKeys: String, CodingKey") { text in
            if needsTypename { text.line("case typename = \"__typename\"") }
            for member in shape.stored { keyCase(member.property, member.key, &text) }
        }
    }

    func keyCase(_ property: String, _ key: String, _ text: inout SourceText) {
        let value = property == key ? "" : " = \(SwiftLiteral.string(key))"
        text.line("case \(SwiftLiteral.identifier(property))\(value)")
    }

    private func initializer(_ shape: GraphQLShape, _ text: inout SourceText) {
        text.space()
        text.block("\(word)init(from decoder: any Decoder) throws") { text in
            if !shape.stored.isEmpty || !shape.variants.isEmpty {
                text.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            }
            for member in shape.stored {
                let isOptional = member.type.hasSuffix("?")
                let type = isOptional ? String(member.type.dropLast()) : member.type
                let property = SwiftLiteral.identifier(member.property)
                text.line(
                    "self.\(property) = try container.\(isOptional ? "decodeIfPresent" : "decode")"
                        + "(\(type).self, forKey: .\(property))")
            }
            for part in shape.parts {
                text.line("self.\(SwiftLiteral.identifier(part.property)) = try \(part.type)(from: decoder)")
            }
            if shape.variants.isEmpty { return }
            let isStored = shape.stored.contains { $0.key == "__typename" && !$0.isConditional }
            if !isStored { text.line("let typename = try container.decode(String.self, forKey: .typename)") }
            for variant in shape.variants {
                let names = variant.typeNames.map(SwiftLiteral.string).joined(separator: ", ")
                text.line("self.\(variant.property) =")
                text.line("    [\(names)].contains(typename) ? try \(variant.type)(from: decoder) : nil")
            }
        }
    }
}
