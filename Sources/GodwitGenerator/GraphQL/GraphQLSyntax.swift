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

    var description: String {
        switch self {
        case .named(let name): name.text
        case .list(let type): "[\(type)]"
        case .nonNull(let type): "\(type)!"
        }
    }
}

/// A part of a selection set.
indirect enum GraphQLSelection: Sendable {
    case field(GraphQLFieldNode)
    case spread(GraphQLName, isConditional: Bool)
    case inline(on: GraphQLName?, GraphQLSelectionSet, isConditional: Bool)
}

struct GraphQLSelectionSet: Sendable {
    var selections: [GraphQLSelection] = []
    /// Where `__typename` can be inserted: after the brace, in bytes.
    var start = 0
}

struct GraphQLFieldNode: Sendable {
    let key: GraphQLName
    let name: GraphQLName
    let arguments: [GraphQLName]
    /// Whether `@include` or `@skip` may leave it out.
    let isConditional: Bool
    let selections: GraphQLSelectionSet?
}

struct GraphQLVariable: Sendable {
    let name: GraphQLName
    let type: GraphQLType
    let hasDefault: Bool
}

struct GraphQLOperationNode: Sendable {
    enum Kind: String, Sendable {
        case query, mutation, subscription
    }

    let kind: Kind
    let name: GraphQLName
    let variables: [GraphQLVariable]
    let selections: GraphQLSelectionSet
    let uses: [GraphQLName]
    let text: GraphQLText
}

struct GraphQLFragmentNode: Sendable {
    let name: GraphQLName
    let on: GraphQLName
    let selections: GraphQLSelectionSet
    let uses: [GraphQLName]
    let text: GraphQLText
}

/// The part of a file that is one definition.
struct GraphQLText: Sendable {
    let file: SourceFile
    let range: Range<Int>

    /// The text, with `__typename` after each of the braces at the offsets.
    func text(insertingAt offsets: Set<Int>) -> String {
        let bytes = Array(file.data)
        var (text, start) = ([UInt8](), range.lowerBound)
        for offset in offsets.sorted() where range.contains(offset) {
            text += bytes[start..<offset] + Array(" __typename".utf8)
            start = offset
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
}

struct GraphQLFieldDefinition: Sendable {
    let name: GraphQLName
    let type: GraphQLType
    let arguments: [GraphQLFieldDefinition]
    let hasDefault: Bool
    let description: String?
}
