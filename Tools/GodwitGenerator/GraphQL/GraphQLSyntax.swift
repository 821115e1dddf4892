/// A name in a document, with its place.
struct GraphQLName: Sendable, Hashable {
    let text: String
    let place: SourcePlace
}

/// A type with its lists and its nullability.
indirect enum GraphQLType: Sendable, Hashable, CustomStringConvertible {
    case named(GraphQLName)
    case list(GraphQLType)
    case nonNull(GraphQLType)

    /// The type without lists.
    var name: GraphQLName {
        switch self {
        case .named(let name): name
        case .list(let type), .nonNull(let type): type.name
        }
    }

    var isList: Bool {
        switch self {
        case .named: false
        case .list: true
        case .nonNull(let type): type.isList
        }
    }

    var description: String {
        switch self {
        case .named(let name): name.text
        case .list(let type): "[\(type)]"
        case .nonNull(let type): "\(type)!"
        }
    }
}

/// A value in a document, with its place.
struct GraphQLValue: Sendable {
    indirect enum Content: Sendable {
        case variable(String)
        case null
        case boolean(Bool)
        /// As written.
        case integer(String), float(String)
        case string(String)
        case `enum`(String)
        case list([GraphQLValue])
        case object([GraphQLArgument])
    }

    let content: Content
    let place: SourcePlace

    var isNull: Bool {
        if case .null = content { true } else { false }
    }
}

extension GraphQLValue: CustomStringConvertible {
    /// The value on one line.
    var description: String {
        switch content {
        case .variable(let name): "$\(name)"
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let text), .float(let text), .enum(let text): text
        case .string(let text): "\"\(text)\""
        case .list(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\($0.name.text): \($0.value)" }.sorted().joined(separator: ", "))}"
        }
    }
}

/// A name with a value: of a field, a directive or an input object.
struct GraphQLArgument: Sendable {
    let name: GraphQLName
    let value: GraphQLValue
}

struct GraphQLDirectiveNode: Sendable {
    let name: GraphQLName
    let arguments: [GraphQLArgument]
}

extension [GraphQLDirectiveNode] {
    /// What can leave the directives' place out, or delay it: equal for conditions that are always met together.
    var conditions: [String] {
        compactMap { node in
            switch node.name.text {
            case "include", "skip": "@\(node.name.text)(\(node.arguments.map { "\($0.name.text): \($0.value)" }))"
            // Each is delivered for itself.
            case "defer": "@defer at \(node.name.place)"
            default: nil
            }
        }
    }
}

/// A part of a selection set.
indirect enum GraphQLSelection: Sendable {
    case field(GraphQLFieldNode)
    case spread(GraphQLName, [GraphQLDirectiveNode])
    case inline(on: GraphQLName?, GraphQLSelectionSet, [GraphQLDirectiveNode])
}

struct GraphQLSelectionSet: Sendable {
    var selections: [GraphQLSelection] = []
    /// Where `__typename` can be inserted: after the brace, in bytes.
    var start = 0

    /// Whether `__typename` is selected in any case.
    var hasTypename: Bool {
        selections.contains { selection in
            guard case .field(let node) = selection else { return false }
            return node.key.text == "__typename" && node.directives.conditions.isEmpty
        }
    }
}

struct GraphQLFieldNode: Sendable {
    let key: GraphQLName
    let name: GraphQLName
    let arguments: [GraphQLArgument]
    let directives: [GraphQLDirectiveNode]
    let selections: GraphQLSelectionSet?
}

struct GraphQLVariable: Sendable {
    let name: GraphQLName
    let type: GraphQLType
    let defaultValue: GraphQLValue?
    let directives: [GraphQLDirectiveNode]

    var hasDefault: Bool { defaultValue != nil }
}

struct GraphQLOperationNode: Sendable {
    enum Kind: String, Sendable {
        case query, mutation, subscription

        /// The type of such operations in Swift.
        var swiftType: String { self == .subscription ? "GraphQLSubscription" : "GraphQLOperation" }
    }

    let kind: Kind
    let name: GraphQLName
    let variables: [GraphQLVariable]
    let directives: [GraphQLDirectiveNode]
    let selections: GraphQLSelectionSet
    let text: GraphQLText
}

struct GraphQLFragmentNode: Sendable {
    let name: GraphQLName
    let on: GraphQLName
    let directives: [GraphQLDirectiveNode]
    let selections: GraphQLSelectionSet
    let text: GraphQLText
}

/// The part of a file that is one definition.
struct GraphQLText: Sendable {
    let file: SourceFile
    let range: Range<Int>
    /// The descriptions in it, in order. They aren't sent, as most servers don't know them.
    var descriptions: [Range<Int>] = []

    /// The text, with `__typename` after each of the braces at the offsets.
    func text(insertingAt offsets: Set<Int>) -> String {
        let bytes = Array(file.data)
        var (text, start) = ([UInt8](), range.lowerBound)
        let insertions = offsets.filter(range.contains).map { ($0..<$0, " __typename") }
        let changes = insertions + descriptions.map { ($0, "") }
        for (place, words) in changes.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
            text += bytes[start..<place.lowerBound] + Array(words.utf8)
            start = place.upperBound
        }
        text += bytes[start..<range.upperBound]
        return String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}

/// A definition of a type in a schema.
struct GraphQLDefinition: Sendable {
    enum Kind: String, Sendable {
        case scalar, type, interface, union, `enum`, input
    }

    var kind: Kind
    var name: GraphQLName
    var fields: [GraphQLFieldDefinition] = []
    /// The interfaces of a type, or the types of a union.
    var relatives: [GraphQLName] = []
    var cases: [GraphQLName] = []
    /// Whether an input has exactly one member, which is not `null`.
    var isOneOf = false
}

/// A directive that a schema defines.
struct GraphQLDirectiveDefinition: Sendable {
    let name: GraphQLName
    let arguments: [GraphQLFieldDefinition]
    let isRepeatable: Bool
    /// Where it can stand, such as `FIELD`.
    let locations: [String]
}

struct GraphQLFieldDefinition: Sendable {
    let name: GraphQLName
    let type: GraphQLType
    let arguments: [GraphQLFieldDefinition]
    let hasDefault: Bool
    let description: String?
}
