/// Prints a schema in GraphQL's definition language, in the form that GraphQL's reference implementation prints.
struct SchemaPrinter {
    let schema: IntrospectedSchema

    private static let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]
    private static let builtInDirectives: Set<String> = ["skip", "include", "deprecated", "specifiedBy", "oneOf"]

    var text: String {
        let directives = schema.directives.filter { !Self.builtInDirectives.contains($0.name.text) }
        let types = schema.types.filter {
            !$0.name.text.hasPrefix("__") && !Self.builtInScalars.contains($0.name.text)
        }
        let parts = [roots].compactMap(\.self) + directives.map(directive) + types.compactMap(type)
        return parts.isEmpty ? "" : parts.joined(separator: "\n\n") + "\n"
    }

    /// The schema's own definition; `nil` if the root types have their usual names.
    private var roots: String? {
        let roots = [
            ("query", "Query", schema.queryType), ("mutation", "Mutation", schema.mutationType),
            ("subscription", "Subscription", schema.subscriptionType),
        ]
        let isUsual = roots.allSatisfy { _, usual, root in root.map { $0.name.text == usual } ?? true }
        guard !isUsual || schema.description != nil else { return nil }
        let lines = roots.compactMap { operation, _, root in root.map { "  \(operation): \($0.name)\n" } }
        return "\(comment(schema.description))schema {\n\(lines.joined())}"
    }

    private func directive(_ directive: IntrospectedDirective) -> String {
        comment(directive.description) + "directive @\(directive.name)\(arguments(directive.args, indent: ""))"
            + (directive.isRepeatable == true ? " repeatable" : "")
            + " on " + directive.locations.map(\.text).joined(separator: " | ")
    }

    // MARK: Types

    private func type(_ type: IntrospectedType) -> String? {
        let head = comment(type.description)
        switch type.kind {
        case "SCALAR":
            let url = type.specifiedByURL.map { " @specifiedBy(url: \(StringLiteral.quoted($0)))" } ?? ""
            return "\(head)scalar \(type.name)\(url)"
        case "OBJECT": return "\(head)type \(type.name)\(interfaces(type))\(fields(type.fields ?? []))"
        case "INTERFACE": return "\(head)interface \(type.name)\(interfaces(type))\(fields(type.fields ?? []))"
        case "UNION":
            let members = (type.possibleTypes ?? []).map(\.name.text).joined(separator: " | ")
            return "\(head)union \(type.name)" + (members.isEmpty ? "" : " = \(members)")
        case "ENUM": return "\(head)enum \(type.name)\(cases(type.enumValues ?? []))"
        case "INPUT_OBJECT":
            let oneOf = type.isOneOf == true ? " @oneOf" : ""
            return "\(head)input \(type.name)\(oneOf)\(inputs(type.inputFields ?? []))"
        default: return nil
        }
    }

    private func interfaces(_ type: IntrospectedType) -> String {
        let names = (type.interfaces ?? []).map(\.name.text)
        return names.isEmpty ? "" : " implements " + names.joined(separator: " & ")
    }

    private func fields(_ fields: [IntrospectedField]) -> String {
        block(
            fields.enumerated().map { index, field in
                comment(field.description, indent: "  ", isFirst: index == 0)
                    + "  \(field.name)\(arguments(field.args, indent: "  ")): \(field.type)"
                    + deprecation(field.isDeprecated, field.deprecationReason)
            })
    }

    private func cases(_ cases: [IntrospectedCase]) -> String {
        block(
            cases.enumerated().map { index, value in
                comment(value.description, indent: "  ", isFirst: index == 0) + "  \(value.name)"
                    + deprecation(value.isDeprecated, value.deprecationReason)
            })
    }

    private func inputs(_ inputs: [IntrospectedInput]) -> String {
        block(
            inputs.enumerated().map { index, value in
                comment(value.description, indent: "  ", isFirst: index == 0) + "  " + input(value)
            })
    }

    private func block(_ lines: [String]) -> String {
        lines.isEmpty ? "" : " {\n" + lines.joined(separator: "\n") + "\n}"
    }

    // MARK: Parts

    /// On one line, unless an argument has a description.
    private func arguments(_ arguments: [IntrospectedInput], indent: String) -> String {
        if arguments.isEmpty { return "" }
        guard arguments.contains(where: { $0.description != nil }) else {
            return "(" + arguments.map(input).joined(separator: ", ") + ")"
        }
        let lines = arguments.enumerated().map { index, argument in
            comment(argument.description, indent: indent + "  ", isFirst: index == 0) + indent + "  " + input(argument)
        }
        return "(\n" + lines.joined(separator: "\n") + "\n\(indent))"
    }

    private func input(_ value: IntrospectedInput) -> String {
        "\(value.name): \(value.type)" + (value.defaultValue.map { " = \($0)" } ?? "")
            + deprecation(value.isDeprecated, value.deprecationReason)
    }

    private func deprecation(_ isDeprecated: Bool?, _ reason: String?) -> String {
        guard isDeprecated == true || reason != nil else { return "" }
        guard let reason, reason != "No longer supported" else { return " @deprecated" }
        return " @deprecated(reason: \(StringLiteral.quoted(reason)))"
    }

    /// A description before a definition.
    private func comment(_ text: String?, indent: String = "", isFirst: Bool = true) -> String {
        guard let text else { return "" }
        let literal = StringLiteral.description(text).replacing("\n", with: "\n\(indent)")
        return (isFirst ? "" : "\n") + indent + literal + "\n"
    }
}
