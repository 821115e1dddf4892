/// The types of a schema by name.
struct GraphQLSchemaIndex: Sendable {
    private static let builtIn = ["Int", "Float", "String", "Boolean", "ID"]

    /// The directives of operations that each server has, or that are drafts of the specification.
    private static let builtInDirectives = """
        directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
        """

    /// The types of introspection (GraphQL specification, section 4.2), which each server has.
    private static let introspection = """
        type __Schema { description: String types: [__Type!]! queryType: __Type! mutationType: __Type
          subscriptionType: __Type directives: [__Directive!]! }
        type __Type { kind: __TypeKind! name: String description: String specifiedByURL: String
          fields(includeDeprecated: Boolean! = false): [__Field!] interfaces: [__Type!] possibleTypes: [__Type!]
          enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
          inputFields(includeDeprecated: Boolean! = false): [__InputValue!] ofType: __Type isOneOf: Boolean }
        enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
        type __Field { name: String! description: String args(includeDeprecated: Boolean! = false): [__InputValue!]!
          type: __Type! isDeprecated: Boolean! deprecationReason: String }
        type __InputValue { name: String! description: String type: __Type! defaultValue: String
          isDeprecated: Boolean! deprecationReason: String }
        type __EnumValue { name: String! description: String isDeprecated: Boolean! deprecationReason: String }
        type __Directive { name: String! description: String isRepeatable: Boolean! locations: [__DirectiveLocation!]!
          args(includeDeprecated: Boolean! = false): [__InputValue!]! }
        enum __DirectiveLocation { QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
          VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE
          INPUT_OBJECT INPUT_FIELD_DEFINITION }
        type __Root { __schema: __Schema! __type(name: String!): __Type }
        """

    private(set) var types: [String: GraphQLDefinition] = [:]
    /// The fields that the root type of queries has in addition to its own.
    private var rootFields: [GraphQLFieldDefinition] = []
    private(set) var directives: [String: GraphQLDirectiveDefinition] = [:]
    private var roots: [String: GraphQLName] = [:]
    /// Whether root types have the usual names, unless an extension names them.
    private var hasUsualRoots = true

    init(_ source: SourceFile) throws(GenerationError) {
        let parser = try GraphQLParser(source)
        if let operation = parser.operations.first {
            throw GenerationError(.invalid, "a schema can't contain operations", at: operation.name.place)
        }
        for name in Self.builtIn {
            let name = GraphQLName(text: name, place: SourcePlace(file: source.name))
            types[name.text] = GraphQLDefinition(kind: .scalar, name: name)
        }
        for (definition, isExtension) in parser.definitions where !isExtension {
            guard types.updateValue(definition, forKey: definition.name.text) == nil || isBuiltIn(definition) else {
                throw GenerationError(.invalid, "\(definition.name.text) is defined twice", at: definition.name.place)
            }
        }
        for (addition, isExtension) in parser.definitions where isExtension { try extend(addition) }
        roots = parser.roots
        hasUsualRoots = !parser.definesSchema
        let builtIn = try GraphQLParser(
            SourceFile(name: source.name, data: Data((Self.builtInDirectives + "\n" + Self.introspection).utf8)))
        for (definition, _) in builtIn.definitions {
            if definition.name.text == "__Root" {
                rootFields = definition.fields
            } else if types[definition.name.text] == nil {
                types[definition.name.text] = definition
            }
        }
        for definition in builtIn.directiveDefinitions + parser.directiveDefinitions {
            directives[definition.name.text] = definition
        }
        for definition in types.values.sorted(by: { $0.name.text < $1.name.text }) { try check(definition) }
        for definition in directives.values {
            for argument in definition.arguments { _ = try type(argument.type.name) }
        }
    }

    func isBuiltIn(_ definition: GraphQLDefinition) -> Bool { Self.builtIn.contains(definition.name.text) }

    private mutating func extend(_ addition: GraphQLDefinition) throws(GenerationError) {
        guard var known = types[addition.name.text], known.kind == addition.kind else {
            throw GenerationError(
                .invalid, "\(addition.name.text) is extended but not defined", at: addition.name.place)
        }
        known.fields += addition.fields
        known.relatives += addition.relatives
        known.cases += addition.cases
        known.isOneOf = known.isOneOf || addition.isOneOf
        types[addition.name.text] = known
    }

    private func check(_ definition: GraphQLDefinition) throws(GenerationError) {
        for relative in definition.relatives { _ = try type(relative) }
        for field in definition.fields {
            _ = try type(field.type.name)
            for argument in field.arguments { _ = try type(argument.type.name) }
        }
    }

    /// Throws `.invalid` if the schema has no type of this name.
    func type(_ name: GraphQLName) throws(GenerationError) -> GraphQLDefinition {
        guard let type = types[name.text] else {
            throw GenerationError(.invalid, "the schema has no type \(name.text)", at: name.place)
        }
        return type
    }

    /// The type that operations of a kind start from.
    func root(_ kind: GraphQLOperationNode.Kind, for name: GraphQLName) throws(GenerationError) -> GraphQLDefinition {
        guard let root = rootName(kind), let type = types[root] else {
            throw GenerationError(.invalid, "the schema has no \(kind.rawValue) type", at: name.place)
        }
        return type
    }

    private func rootName(_ kind: GraphQLOperationNode.Kind) -> String? {
        if let root = roots[kind.rawValue] { return root.text }
        return hasUsualRoots ? kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst() : nil
    }

    /// The names of the object types that a value of this type can have.
    func possibleTypes(of type: GraphQLDefinition) -> Set<String> {
        switch type.kind {
        case .union: Set(type.relatives.map(\.text))
        case .interface:
            Set(
                types.values.filter { $0.kind == .type && $0.relatives.contains { $0.text == type.name.text } }
                    .map(\.name.text))
        default: [type.name.text]
        }
    }

    /// A field of a type; each object has `__typename`, and the root of queries has the fields of introspection.
    func field(_ name: GraphQLName, of type: GraphQLDefinition) throws(GenerationError) -> GraphQLFieldDefinition {
        if name.text == "__typename" {
            let string = GraphQLName(text: "String", place: name.place)
            return GraphQLFieldDefinition(
                name: name, type: .nonNull(.named(string)), arguments: [], hasDefault: false, description: nil)
        }
        let fields = type.name.text == rootName(.query) ? type.fields + rootFields : type.fields
        guard let field = fields.first(where: { $0.name.text == name.text }) else {
            throw GenerationError(.invalid, "\(type.name.text) has no field \(name.text)", at: name.place)
        }
        return field
    }
}
