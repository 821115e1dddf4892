import GodwitSupport

/// What a schema refuses of a value. Contains no part of the value but the names on the way to it.
public struct SchemaViolation: Sendable, Hashable {
    /// The JSON pointer (RFC 6901) of the value that is refused or missing; empty for the whole.
    public var pointer: String
    /// What is wrong, after "it": `must be at least 1`.
    public var text: String
    /// Whether the value is of another type.
    var isMismatch = false

    /// The maximum number of violations that are listed.
    public static let countLimit = 20
    /// Longer pointers and texts are cut.
    static let lengthLimit = 200

    init(_ text: String, at path: [String] = [], isMismatch: Bool = false) {
        pointer = Self.cut(path.map { "/" + JSONPointer.escaped($0) }.joined())
        self.text = Self.cut(text)
        self.isMismatch = isMismatch
    }

    /// The start of a text that can have any length.
    static func cut(_ text: String) -> String {
        text.utf8.count <= lengthLimit ? text : String(text.unicodeScalars.prefix(lengthLimit)) + "…"
    }
}

extension ExactJSON {
    init(_ node: DocumentNode) {
        switch node.value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text): self = .number(ExactNumber(source: text))
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { ExactJSON($0) })
        case .object(let members):
            self = .object(
                Dictionary(members.map { (ExactText($0.key), ExactJSON($0.value)) }) { first, _ in first })
        }
    }

    /// What a person calls this kind of value.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number(let number): number.isWhole ? "an integer" : "a number"
        case .text: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// How much work one look at the value is, without the values in it.
    var width: Int {
        switch self {
        case .null, .bool: 0
        case .number(let number): number.description.utf8.count / 16
        case .text(let text): text.description.utf8.count / 16
        case .array(let elements): elements.count
        case .object(let members): members.count
        }
    }

    /// The same with the values in it.
    var size: Int {
        switch self {
        case .array(let elements): elements.reduce(1 + width) { $0 + $1.size }
        case .object(let members): members.values.reduce(1 + width) { $0 + $1.size }
        case .null, .bool, .number, .text: 1 + width
        }
    }

    /// Whether it is of a type of JSON Schema. A type that is unknown has all values.
    func isOf(type: String) -> Bool {
        switch (type, self) {
        case ("null", .null), ("boolean", .bool), ("string", .text), ("file", .text), ("array", .array),
            ("object", .object), ("number", .number):
            true
        case ("integer", .number(let number)): number.isWhole
        default: !Self.types.contains(type)
        }
    }

    private static let types: Set<String> = [
        "null", "boolean", "string", "file", "array", "object", "number", "integer",
    ]
}

extension ExactNumber {
    /// Whether it has no fraction: also 1.0 and 1e3.
    var isWhole: Bool { isMultiple(of: ExactNumber(1)) ?? false }
}
