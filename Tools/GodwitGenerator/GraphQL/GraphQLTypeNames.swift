/// The names of a schema's types in Swift.
struct GraphQLTypeNames: Sendable {
    /// What generated code uses, and types in it must not be named.
    private static let used = [
        "Any", "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys", "Date", "Decodable", "Decoder",
        "Double", "Encodable", "Encoder", "Error", "GraphQLDocument", "GraphQLIndirect", "GraphQLOperation",
        "GraphQLSubscription", "GraphQLUpload", "GraphQLVariables", "Hashable", "Int", "JSONValue", "Never", "Nullable",
        "Optional", "Protocol", "RawRepresentable", "Self", "Sendable", "Set", "String", "Type", "URL", "UUID", "Void",
    ]

    private var names: [String: String] = [:]
    /// The types of fragments.
    private var fragments: [String: String] = [:]
    /// The words in the Swift types of custom scalars.
    private let ofScalars: [String]

    /// The names that a nested type must not have.
    var taken: [String] { Self.used + ofScalars + names.values + fragments.values }

    /// The names at the top level of a module.
    static func taken(_ scalars: [String: String]) -> [String] {
        used + words(scalars) + ReservedNames.types + ["GraphQLTypes"]
    }

    private static func words(_ scalars: [String: String]) -> [String] {
        scalars.values.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init) }
    }

    /// - Parameters:
    ///   - fragments: The names of all fragments.
    ///   - scalars: The Swift types of custom scalars.
    init(
        _ schema: GraphQLSchemaIndex, fragments: some Sequence<String>, scalars: [String: String],
        taken: inout NameTable
    ) {
        ofScalars = Self.words(scalars)
        names = ["Int": "Int", "Float": "Double", "String": "String", "Boolean": "Bool", "ID": "String"]
        for type in schema.types.values.sorted(by: { $0.name.text < $1.name.text }) where names[type.name.text] == nil {
            switch type.kind {
            case .enum, .input: names[type.name.text] = taken.take(SwiftName.type(type.name.text))
            case .scalar:
                names[type.name.text] =
                    scalars[type.name.text] ?? (type.name.text == "Upload" ? "GraphQLUpload" : "JSONValue")
            case .type, .interface, .union: continue
            }
        }
        for fragment in fragments.sorted() { self.fragments[fragment] = taken.take(SwiftName.type(fragment)) }
    }

    func name(ofFragment fragment: String) -> String { fragments[fragment] ?? SwiftName.type(fragment) }

    func name(of type: GraphQLDefinition) -> String { names[type.name.text] ?? "JSONValue" }

    /// A type with its lists and its nullability.
    static func text(_ type: GraphQLType, _ base: String, isOptional: Bool = false) -> String {
        switch type {
        case .nonNull(let type): isOptional ? text(type, base) : required(type, base)
        default: required(type, base) + "?"
        }
    }

    private static func required(_ type: GraphQLType, _ base: String) -> String {
        switch type {
        case .named: base
        case .list(let element): "[\(text(element, base))]"
        case .nonNull(let type): required(type, base)
        }
    }
}
