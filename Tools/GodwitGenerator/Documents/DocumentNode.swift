/// A value of a JSON or YAML document, with its place. Members keep their order.
struct DocumentNode: Sendable, Hashable {
    indirect enum Value: Sendable, Hashable {
        case null
        case bool(Bool)
        /// The number as JSON writes it.
        case number(String)
        case string(String)
        case array([DocumentNode])
        case object([Member])
    }

    struct Member: Sendable, Hashable {
        var key: String
        var value: DocumentNode
    }

    var value: Value
    var place: SourcePlace

    /// The member with a key of the same code units; `nil` if there is none, or if this isn't an object.
    subscript(key: String) -> DocumentNode? { members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }

    /// The members of an object; empty for other values.
    var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// The elements of an array; empty for other values.
    var elements: [DocumentNode] {
        if case .array(let elements) = value { elements } else { [] }
    }

    var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    var bool: Bool? {
        if case .bool(let value) = value { value } else { nil }
    }

    var isObject: Bool {
        if case .object = value { true } else { false }
    }

    var isNull: Bool { value == .null }
}
