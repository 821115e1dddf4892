// Input types.
extension GraphQLWriter {
    /// A member of an input type.
    private struct Member {
        let field: GraphQLFieldDefinition
        /// The name in Swift.
        let name: String
        let type: String
        /// Whether the member leads back to its type.
        let isBoxed: Bool

        var isOptional: Bool { type.hasSuffix("?") }
        var isNullable: Bool { GraphQLWriter.isNullable(field.type) }
        var identifier: String { SwiftLiteral.identifier(name) }
    }

    private func members(_ definition: GraphQLDefinition) -> [Member] {
        let ofOptional = definition.isOneOf ? Self.ofOptional : []
        var names = NameTable.members(["CodingKeys", "allCases", "nulls"] + ofOptional)
        return definition.fields.map { field in
            Member(
                field: field, name: names.take(SwiftName.member(field.name.text)),
                type: type(field.type, isOptional: field.hasDefault), isBoxed: isRecursive(field, in: definition))
        }
    }

    // MARK: Structs

    func input(_ definition: GraphQLDefinition, _ text: inout SourceText) {
        let members = members(definition)
        let nullable = members.filter(\.isNullable)
        let hint =
            nullable.isEmpty ? "A `nil` is omitted, so that the server's default applies." : Self.nullsHint
        text.doc("The input type `\(definition.name.text)`. \(hint)")
        text.block("\(head) struct \(types.name(of: definition)): Encodable, Sendable") { text in
            for member in members {
                text.doc(member.field.description)
                text.line("\(word)var \(member.identifier): \(kept(member))")
            }
            if !nullable.isEmpty {
                text.doc("The members whose `nil` is sent as `null`.")
                text.line("\(word)var nulls: Set<Nullable>")
            }
            text.space()
            initializer(members, hasNulls: !nullable.isEmpty, &text)
            if !nullable.isEmpty { self.nullable(nullable, &text) }
            guard !nullable.isEmpty || members.contains(where: { $0.field.name.text != $0.name }) else { return }
            keys(members, &text)
            if !nullable.isEmpty { encoding(members, &text) }
        }
    }

    private func kept(_ member: Member) -> String {
        if !member.isBoxed { return member.type }
        return member.isOptional ? "GraphQLIndirect<\(member.type.dropLast())>?" : "GraphQLIndirect<\(member.type)>"
    }

    private func initializer(_ members: [Member], hasNulls: Bool, _ text: inout SourceText) {
        var parameters = members.map { member in
            "\(SwiftLiteral.label(member.name)): \(member.type)" + (member.isOptional ? " = nil" : "")
        }
        if hasNulls { parameters.append("nulls: Set<Nullable> = []") }
        text.list("\(word)init(", parameters, ") {")
        text.indented { text in
            for member in members {
                let name = member.identifier
                let boxed = member.isOptional ? "\(name).map { GraphQLIndirect($0) }" : "GraphQLIndirect(\(name))"
                text.line("self.\(name) = \(member.isBoxed ? boxed : name)")
            }
            if hasNulls { text.line("self.nulls = nulls") }
        }
        text.line("}")
    }

    private func nullable(_ members: [Member], _ text: inout SourceText) {
        text.space()
        text.doc("The members that can be `null`.")
        text.block("\(head) enum Nullable: CaseIterable, Sendable") { text in
            for member in members { text.line("case \(member.identifier)") }
        }
    }

    private func keys(_ members: [Member], _ text: inout SourceText) {
        text.space()
        text.block("private nonisolated enum CodingKeys: String, CodingKey") { text in
            for member in members { keyCase(member.name, member.field.name.text, &text) }
        }
    }

    private func encoding(_ members: [Member], _ text: inout SourceText) {
        text.space()
        text.block("\(word)func encode(to encoder: any Encoder) throws") { text in
            text.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for member in members {
                let name = member.identifier
                guard member.isNullable else {
                    let method = member.isOptional ? "encodeIfPresent" : "encode"
                    text.line("try container.\(method)(self.\(name), forKey: .\(name))")
                    continue
                }
                text.block("if self.\(name) != nil || self.nulls.contains(.\(name))") { text in
                    text.line("try container.encode(self.\(name), forKey: .\(name))")
                }
            }
        }
    }

    // MARK: One of several members

    /// An input type of which exactly one member is sent.
    func choice(_ definition: GraphQLDefinition, _ text: inout SourceText) {
        let members = members(definition)
        text.doc("The input type `\(definition.name.text)`: exactly one of its members is sent.")
        text.block("\(head) indirect enum \(types.name(of: definition)): Encodable, Sendable") { text in
            for member in members {
                text.doc(member.field.description)
                text.line("case \(member.identifier)(\(type(.nonNull(member.field.type))))")
            }
            keys(members, &text)
            text.space()
            text.block("\(word)func encode(to encoder: any Encoder) throws") { text in
                text.line("var container = encoder.container(keyedBy: CodingKeys.self)")
                text.line("switch self {")
                for member in members {
                    let name = member.identifier
                    text.line("case .\(name)(let value): try container.encode(value, forKey: .\(name))")
                }
                text.line("}")
            }
        }
    }
}
