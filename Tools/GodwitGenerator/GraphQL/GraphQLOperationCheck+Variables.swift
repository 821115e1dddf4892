/// A variable in a value.
struct GraphQLVariableUsage: Sendable {
    let name: String
    /// Where the variable stands in the document.
    let source: SourcePlace
    let place: GraphQLInputPlace
}

// Variables (GraphQL specification, section 5.8).
extension GraphQLOperationCheck {
    /// Checks that variables are declared once, with a type for inputs and a default that fits.
    mutating func declarations(_ operation: GraphQLOperationNode) throws(GenerationError) {
        var declared: Set<String> = []
        for variable in operation.variables {
            let name = "$\(variable.name.text)"
            guard declared.insert(variable.name.text).inserted else {
                throw GenerationError(.invalid, "\(name) is declared twice", at: variable.name.place)
            }
            let type = try schema.type(variable.type.name)
            guard [.scalar, .enum, .input].contains(type.kind) else {
                throw GenerationError(
                    .invalid, "a variable can't be of the \(type.kind.rawValue) \(type.name.text)",
                    at: variable.type.name.place)
            }
            let count = usages.count
            try directives(variable.directives, at: "VARIABLE_DEFINITION")
            if usages.count > count, let usage = usages.last {
                throw GenerationError(.invalid, "a directive of \(name) can't have a variable", at: usage.source)
            }
            guard let value = variable.defaultValue else { continue }
            try check(value, GraphQLInputPlace(name, variable.type, false))
            guard usages.count > count, let usage = usages.last else { continue }
            throw GenerationError(.invalid, "the default of \(name) can't have a variable", at: usage.source)
        }
    }

    /// Checks that each variable is used, and only where its type is allowed.
    func checkVariables(_ operation: GraphQLOperationNode) throws(GenerationError) {
        let declared = Dictionary(operation.variables.map { ($0.name.text, $0) }) { first, _ in first }
        var unused = Set(declared.keys)
        for usage in usages {
            guard let variable = declared[usage.name] else {
                throw GenerationError(
                    .invalid, "$\(usage.name) is not a variable of \(operation.name.text)", at: usage.source)
            }
            unused.remove(usage.name)
            guard !usage.isAllowed(variable), let expected = usage.place.type else { continue }
            let reason = "$\(usage.name) is \(variable.type), but \(usage.place.name) expects \(expected)"
            let isOnlyNull = GraphQLVariableUsage.isCompatible(.nonNull(variable.type), expected)
            let hint = isOnlyNull ? ": declare it as \(expected), or give it a default" : ""
            throw GenerationError(.invalid, reason + hint, at: usage.source)
        }
        if let variable = operation.variables.first(where: { unused.contains($0.name.text) }) {
            throw GenerationError(
                .invalid, "$\(variable.name.text) is not used in \(operation.name.text)", at: variable.name.place)
        }
    }
}

extension GraphQLVariableUsage {
    /// All variable usages are allowed (section 5.8.5): a default makes up for a type that can be `null`.
    fileprivate func isAllowed(_ variable: GraphQLVariable) -> Bool {
        guard let expected = place.type else { return true }
        guard case .nonNull(let inner) = expected, GraphQLWriter.isNullable(variable.type) else {
            return Self.isCompatible(variable.type, expected)
        }
        let hasValue = variable.defaultValue.map { !$0.isNull } ?? false
        return (hasValue || place.hasDefault) && Self.isCompatible(variable.type, inner)
    }

    /// Whether values of a type can be used where another is expected.
    fileprivate static func isCompatible(_ type: GraphQLType, _ expected: GraphQLType) -> Bool {
        switch (type, expected) {
        case (.nonNull(.nonNull(let type)), _): isCompatible(.nonNull(type), expected)
        case (.nonNull(let type), .nonNull(let expected)): isCompatible(type, expected)
        case (_, .nonNull): false
        case (.nonNull(let type), _): isCompatible(type, expected)
        case (.list(let type), .list(let expected)): isCompatible(type, expected)
        case (.named(let name), .named(let expected)): name.text == expected.text
        default: false
        }
    }
}
