import GodwitSupport

/// A JSON pointer (RFC 6901) as its decoded tokens.
struct JSONPointer: Sendable, Hashable {
    var tokens: [String]

    /// - Parameter text: `/paths/~1articles/get`, or empty for the root; `nil` if it doesn't start with `/`.
    init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        tokens = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { Self.unescaped($0) }
    }

    /// A token with `~` and `/` escaped.
    static func escaped(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
        return token.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }

    private static func unescaped(_ token: Substring) -> String {
        guard token.utf8.contains(UInt8(ascii: "~")) else { return String(token) }
        var (result, isEscape) = ("", false)
        for character in token {
            switch (isEscape, character) {
            case (true, "0"): result.append("~")
            case (true, "1"): result.append("/")
            case (true, _): result += "~" + String(character)
            case (false, "~"): break
            case (false, _): result.append(character)
            }
            isEscape = !isEscape && character == "~"
        }
        return isEscape ? result + "~" : result
    }
}

extension DocumentNode {
    /// The value at a JSON pointer; `nil` if there is none.
    subscript(pointer: JSONPointer) -> DocumentNode? {
        var node = self
        for token in pointer.tokens {
            guard let child = node.child(token) else { return nil }
            node = child
        }
        return node
    }

    /// The member with a key, or the element with an index.
    func child(_ token: String) -> DocumentNode? {
        guard case .array(let elements) = value else { return self[token] }
        guard let index = Int(token), elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text of a string, number or boolean: YAML has `version: 1.0` where text is meant.
    var text: String? {
        switch value {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The value of an integer that fits; `nil` for other values.
    var integer: Int? {
        if case .number(let text) = value { Int(text) } else { nil }
    }

    /// The value of a number, with all its digits; `nil` for other values.
    var number: ExactNumber? {
        if case .number(let text) = value { ExactNumber(source: text) } else { nil }
    }

    /// What a person calls this kind of value: "a list".
    var kindName: String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
