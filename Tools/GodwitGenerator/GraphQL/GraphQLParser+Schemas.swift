// Definitions of a schema (GraphQL specification, section 3).
extension GraphQLParser {
    mutating func schema(isExtension: Bool) throws(GenerationError) {
        advance()
        let directives = try directives()
        // An extension may only add directives.
        guard isMark("{") || (isExtension && !directives.isEmpty) else { throw unexpected("\"{\"") }
        try list("{", "}") { parser throws(GenerationError) in
            let operation = try parser.name()
            try parser.expect(":")
            parser.roots[operation.text] = try parser.name("a type")
        }
    }

    mutating func directive() throws(GenerationError) {
        advance()
        try expect("@")
        let name = try name()
        let arguments = try inputs("(", ")")
        let isRepeatable = isWord("repeatable")
        if isRepeatable { advance() }
        guard isWord("on") else { throw unexpected("\"on\"") }
        advance()
        _ = takes("|")
        var locations: [String] = []
        repeat { locations.append(try self.name("a location").text) } while takes("|")
        add(
            GraphQLDirectiveDefinition(
                name: name, arguments: arguments, isRepeatable: isRepeatable, locations: locations))
    }

    mutating func type(
        _ kind: GraphQLDefinition.Kind, _ description: String?
    ) throws(GenerationError) -> GraphQLDefinition {
        advance()
        var definition = GraphQLDefinition(kind: kind, name: try name())
        if isWord("implements") {
            advance()
            _ = takes("&")
            repeat { definition.relatives.append(try name("an interface")) } while takes("&")
        }
        definition.isOneOf = try directives().contains { $0.name.text == "oneOf" }
        switch kind {
        case .scalar: break
        case .type, .interface: definition.fields = try fields()
        case .input: definition.fields = try inputs("{", "}")
        case .union:
            guard takes("=") else { break }
            _ = takes("|")
            repeat { definition.relatives.append(try name("a type")) } while takes("|")
        case .enum:
            try list("{", "}") { parser throws(GenerationError) in
                _ = parser.description()
                definition.cases.append(try parser.name("a value"))
                _ = try parser.directives()
            }
        }
        return definition
    }

    mutating func fields() throws(GenerationError) -> [GraphQLFieldDefinition] {
        var fields: [GraphQLFieldDefinition] = []
        try list("{", "}") { parser throws(GenerationError) in
            let description = parser.description()
            let name = try parser.name("a field")
            let arguments = try parser.inputs("(", ")")
            try parser.expect(":")
            let type = try parser.type()
            _ = try parser.directives()
            fields.append(
                GraphQLFieldDefinition(
                    name: name, type: type, arguments: arguments, hasDefault: false, description: description))
        }
        return fields
    }

    mutating func inputs(_ open: String, _ close: String) throws(GenerationError) -> [GraphQLFieldDefinition] {
        var inputs: [GraphQLFieldDefinition] = []
        try list(open, close) { parser throws(GenerationError) in
            let description = parser.description()
            let name = try parser.name()
            try parser.expect(":")
            let type = try parser.type()
            let hasDefault = parser.takes("=")
            if hasDefault { _ = try parser.value() }
            _ = try parser.directives()
            inputs.append(
                GraphQLFieldDefinition(
                    name: name, type: type, arguments: [], hasDefault: hasDefault, description: description))
        }
        return inputs
    }
}
