public import GodwitCore

/// A server's schema, as introspection describes it (GraphQL specification, section 4).
///
/// ```swift
/// let schema = try await graphQL.schema()
/// print(schema.definition)
/// ```
public struct GraphQLSchema: Sendable, Nonisolated {
    let content: IntrospectedSchema

    /// The schema in GraphQL's definition language (SDL), without the definitions that each server has.
    public var definition: String { SchemaPrinter(schema: content).text }
}

extension GraphQLSchema: Decodable {
    private enum CodingKeys: String, CodingKey {
        case schema = "__schema"
    }

    /// Decodes the data of an introspection query.
    ///
    /// Throws `DecodingError` if it has another form, or a name that isn't one.
    public init(from decoder: any Decoder) throws {
        content = try decoder.container(keyedBy: CodingKeys.self).decode(IntrospectedSchema.self, forKey: .schema)
    }
}

extension GraphQLClient {
    /// Asks the server for its schema.
    ///
    /// Servers that don't know the newer parts of introspection are asked again without them.
    ///
    /// - Throws: `NetworkError` as ``send(_:)`` does. Many servers refuse introspection.
    public func schema() async throws(NetworkError) -> GraphQLSchema {
        for query in [IntrospectionQuery.newest, .newer] {
            do throws(NetworkError) {
                return try await send(query.operation)
            } catch {
                // Only a server that read the query and refused it may understand an older one.
                let isRefused = !error.graphQLErrors.isEmpty && error.kind != .unauthorized && error.kind != .forbidden
                guard isRefused else { throw error }
            }
        }
        return try await send(IntrospectionQuery.oldest.operation)
    }
}

/// The members of `__Schema`.
struct IntrospectedSchema: Decodable, Sendable {
    struct Root: Decodable, Sendable {
        let name: SchemaName
    }

    let description: String?
    let queryType: Root?
    let mutationType: Root?
    let subscriptionType: Root?
    let types: [IntrospectedType]
    let directives: [IntrospectedDirective]
}

/// The members of `__Type` for a named type.
struct IntrospectedType: Decodable, Sendable {
    let kind: String
    let name: SchemaName
    let description: String?
    let specifiedByURL: String?
    let isOneOf: Bool?
    let fields: [IntrospectedField]?
    let inputFields: [IntrospectedInput]?
    let interfaces: [IntrospectedSchema.Root]?
    let enumValues: [IntrospectedCase]?
    let possibleTypes: [IntrospectedSchema.Root]?
}

/// The members of `__Field`.
struct IntrospectedField: Decodable, Sendable {
    let name: SchemaName
    let description: String?
    let args: [IntrospectedInput]
    let type: TypeReference
    let isDeprecated: Bool?
    let deprecationReason: String?
}

/// The members of `__InputValue`.
struct IntrospectedInput: Decodable, Sendable {
    let name: SchemaName
    let description: String?
    let type: TypeReference
    /// In the language of queries.
    let defaultValue: String?
    let isDeprecated: Bool?
    let deprecationReason: String?
}

/// The members of `__EnumValue`.
struct IntrospectedCase: Decodable, Sendable {
    let name: SchemaName
    let description: String?
    let isDeprecated: Bool?
    let deprecationReason: String?
}

/// The members of `__Directive`.
struct IntrospectedDirective: Decodable, Sendable {
    let name: SchemaName
    let description: String?
    let isRepeatable: Bool?
    let locations: [SchemaName]
    let args: [IntrospectedInput]
}

/// A type with its lists and its nullability.
indirect enum TypeReference: Decodable, Sendable, CustomStringConvertible {
    case named(SchemaName)
    case list(TypeReference)
    case nonNull(TypeReference)

    private enum CodingKeys: CodingKey {
        case kind, name, ofType
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .kind) {
        case "LIST": self = .list(try container.decode(TypeReference.self, forKey: .ofType))
        case "NON_NULL": self = .nonNull(try container.decode(TypeReference.self, forKey: .ofType))
        default: self = .named(try container.decode(SchemaName.self, forKey: .name))
        }
    }

    var description: String {
        switch self {
        case .named(let name): name.text
        case .list(let element): "[\(element)]"
        case .nonNull(let type): "\(type)!"
        }
    }
}

/// A name of a schema, checked so that a server can't put other text in its place.
struct SchemaName: Decodable, Sendable, Hashable, CustomStringConvertible {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        let isName =
            text.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
                default: false
                }
            }
        guard isName else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text.prefix(40))\" is not a GraphQL name")
        }
    }

    var description: String { text }
}
