// The data of operations.
extension GraphQLWriter {
    func structure(_ shape: GraphQLShape, _ text: inout SourceText) {
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

    func keyCase(_ property: String, _ key: String, _ text: inout SourceText) {
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
}
