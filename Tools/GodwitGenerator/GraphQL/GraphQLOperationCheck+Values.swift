// Arguments and values (GraphQL specification, sections 5.4 and 5.6).
extension GraphQLOperationCheck {
    /// - Parameter whole: The field or the directive, for messages.
    mutating func arguments(
        _ arguments: [GraphQLArgument], _ definitions: [GraphQLFieldDefinition], of whole: String, at place: SourcePlace
    ) throws(GenerationError) {
        var given: Set<String> = []
        for argument in arguments {
            let name = argument.name.text
            guard let definition = definitions.first(where: { $0.name.text == name }) else {
                throw GenerationError(.invalid, "\(whole) has no argument \(name)", at: argument.name.place)
            }
            guard given.insert(name).inserted else {
                throw GenerationError(.invalid, "\(whole) has the argument \(name) twice", at: argument.name.place)
            }
            try check(
                argument.value, GraphQLInputPlace("\(whole)(\(name):)", definition.type, definition.hasDefault))
        }
        for definition in definitions where definition.isRequired && !given.contains(definition.name.text) {
            throw GenerationError(
                .invalid, "\(whole) needs the argument \(definition.name.text): \(definition.type)", at: place)
        }
    }

    /// Checks a value, and notes the variables in it.
    mutating func check(_ value: GraphQLValue, _ place: GraphQLInputPlace) throws(GenerationError) {
        if case .variable(let name) = value.content {
            return usages.append(GraphQLVariableUsage(name: name, source: value.place, place: place))
        }
        switch place.type {
        case nil: try checkParts(value, place)
        case .nonNull(let type):
            if value.isNull { throw Self.mismatch(value, place) }
            try check(value, place.of(type))
        case .list(let type):
            // A single value stands for a list of one element.
            guard case .list(let elements) = value.content else {
                return value.isNull ? () : try check(value, place.of(type))
            }
            for element in elements { try check(element, place.of(type, hasDefault: false)) }
        case .named(let name): if !value.isNull { try check(value, try schema.type(name), place) }
        }
    }

    /// What is in a custom scalar can be anything.
    private mutating func checkParts(_ value: GraphQLValue, _ place: GraphQLInputPlace) throws(GenerationError) {
        switch value.content {
        case .list(let elements): for element in elements { try check(element, place) }
        case .object(let members):
            var given: Set<String> = []
            for member in members {
                guard given.insert(member.name.text).inserted else {
                    let reason = "\(place.name) has the member \(member.name.text) twice"
                    throw GenerationError(.invalid, reason, at: member.name.place)
                }
                try check(member.value, place)
            }
        default: break
        }
    }

    private mutating func check(
        _ value: GraphQLValue, _ type: GraphQLDefinition, _ place: GraphQLInputPlace
    ) throws(GenerationError) {
        switch (type.kind, value.content) {
        case (.input, .object(let members)): return try check(members, of: type, at: value.place)
        case (.enum, .enum(let name)):
            guard !type.cases.contains(where: { $0.text == name }) else { return }
            throw GenerationError(.invalid, "\(type.name.text) has no value \(name)", at: value.place)
        case (.scalar, let content):
            switch (type.name.text, content) {
            case ("Int", .integer(let text)): if Int32(text) != nil { return }
            case ("Float", .integer), ("Float", .float), ("String", .string), ("Boolean", .boolean): return
            case ("ID", .string), ("ID", .integer): return
            case ("Int", _), ("Float", _), ("String", _), ("Boolean", _), ("ID", _): break
            default: return try checkParts(value, GraphQLInputPlace(place.name, nil, false))
            }
        default: break
        }
        throw Self.mismatch(value, place)
    }

    private mutating func check(
        _ members: [GraphQLArgument], of type: GraphQLDefinition, at place: SourcePlace
    ) throws(GenerationError) {
        var given: Set<String> = []
        for member in members {
            let name = member.name.text
            let whole = "\(type.name.text).\(name)"
            guard let field = type.fields.first(where: { $0.name.text == name }) else {
                throw GenerationError(.invalid, "\(type.name.text) has no member \(name)", at: member.name.place)
            }
            guard given.insert(name).inserted else {
                throw GenerationError(.invalid, "\(whole) is given twice", at: member.name.place)
            }
            let expected = type.isOneOf ? .nonNull(field.type) : field.type
            try check(member.value, GraphQLInputPlace(whole, expected, field.hasDefault))
        }
        if type.isOneOf, given.count != 1 {
            throw GenerationError(.invalid, "\(type.name.text) needs exactly one of its members", at: place)
        }
        for field in type.fields where field.isRequired && !given.contains(field.name.text) {
            throw GenerationError(
                .invalid, "\(type.name.text) needs the member \(field.name.text): \(field.type)", at: place)
        }
    }

    private static func mismatch(_ value: GraphQLValue, _ place: GraphQLInputPlace) -> GenerationError {
        let type = place.declared.map(\.description) ?? "another value"
        return GenerationError(.invalid, "\(place.name) expects \(type), found \(value)", at: value.place)
    }
}

/// Where a value stands: its name for messages, and the type that is expected there.
struct GraphQLInputPlace: Sendable {
    let name: String
    /// `nil` in a custom scalar.
    private(set) var type: GraphQLType?
    /// The type as the schema has it, for messages.
    let declared: GraphQLType?
    /// Whether the schema has a default for the place.
    private(set) var hasDefault: Bool

    init(_ name: String, _ type: GraphQLType?, _ hasDefault: Bool) {
        self.name = name
        self.type = type
        self.declared = type
        self.hasDefault = hasDefault
    }

    /// The place of an element, or of the value that isn't `null`.
    func of(_ type: GraphQLType, hasDefault: Bool? = nil) -> GraphQLInputPlace {
        var place = self
        place.type = type
        place.hasDefault = hasDefault ?? self.hasDefault
        return place
    }
}

extension GraphQLFieldDefinition {
    /// Whether the argument or the member must be given.
    var isRequired: Bool {
        if case .nonNull = type { !hasDefault } else { false }
    }
}
