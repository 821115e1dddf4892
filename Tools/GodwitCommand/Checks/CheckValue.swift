import Godwit
import GodwitSupport

/// A value of a response, of a variable or of an expectation.
enum CheckValue: Sendable, Hashable {
    case json(JSONValue)
    case bytes(Data)
    case date(Date)

    static func text(_ text: String) -> CheckValue { .json(.string(text)) }

    static func integer(_ value: some BinaryInteger) -> CheckValue {
        .json(Int64(exactly: value).map(JSONValue.integer) ?? .number(Double(value)))
    }

    /// The value of a text as `--variable` reads it: `null`, a Boolean or a number, or else the text.
    init(parsing text: String) {
        switch text {
        case "null": self = .json(.null)
        case "true": self = .json(.bool(true))
        case "false": self = .json(.bool(false))
        default: self = .json(JSONValue(number: text) ?? .string(text))
        }
    }

    /// The text of a string; `nil` for other values.
    var string: String? {
        guard case .json(.string(let text)) = self else { return nil }
        return text
    }

    var number: Double? {
        switch self {
        case .json(.integer(let value)): Double(value)
        case .json(.number(let value)): value
        default: nil
        }
    }

    /// The text that replaces `{{name}}`. JSON values are written as JSON.
    var templateText: String {
        switch self {
        case .json(.string(let text)): text
        case .json(let value): value.text
        case .bytes(let data): String(validating: data, as: UTF8.self) ?? data.base64EncodedString()
        case .date(let date): date.formatted(.iso8601)
        }
    }

    /// The value in a report: strings in quotes, and not more than 200 characters.
    var description: String {
        let whole =
            switch self {
            // Hidden before it is encoded: a secret in JSON in a string would be escaped twice.
            case .json(let value): (Redactor.current?.redacted(value) ?? value).text
            case .bytes(let data): Self.hex(Redactor.current?.redacted(data) ?? data)
            case .date(let date): "date \(date.formatted(.iso8601))"
            }
        return Self.shortened(whole)
    }

    /// What kind of value this is, with its article.
    var kind: String {
        switch self {
        case .json(.null): "null"
        case .json(.bool): "a Boolean"
        case .json(.integer), .json(.number): "a number"
        case .json(.string): "a string"
        case .json(.array): "a list"
        case .json(.object): "an object"
        case .bytes: "bytes"
        case .date: "a date"
        }
    }

    private static func hex(_ data: Data) -> String {
        "hex,\(Hexadecimal.encode(data.prefix(64)))\(data.count > 64 ? "…" : "");"
    }

    /// The text without secrets, and not more than 200 characters of it.
    static func shortened(_ text: String) -> String {
        let text = Redactor.current?.redacted(text) ?? text
        let limit = 200
        guard text.unicodeScalars.count > limit else { return text }
        return String(text.unicodeScalars.prefix(limit)) + "…"
    }

    /// Whether two values are equal. Numbers are equal by value: 1 is 1.0.
    func equals(_ other: CheckValue) -> Bool {
        switch (self, other) {
        case (.json(let left), .json(let right)): left.equals(right)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        default: false
        }
    }

    /// Whether this is less than, or equal to, another value of its kind; `nil` if they have no order.
    func isLess(than other: CheckValue) -> Bool? {
        switch (self, other) {
        case (.json(.integer(let left)), .json(.integer(let right))): left < right
        case (.json(.string(let left)), .json(.string(let right))):
            left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
        case (.date(let left), .date(let right)): left < right
        default:
            if let left = number, let right = other.number { left < right } else { nil }
        }
    }
}

extension JSONValue {
    /// A number as JSON spells it; `nil` for any other text.
    init?(number text: String) {
        guard let first = text.unicodeScalars.first, first.isDigit || first == "-",
            let document = try? JSONDocument(parsing: Data(text.utf8)), document.root.kind == .number
        else { return nil }
        self.init(document.root)
    }

    init(parsing data: Data) throws(JSONSyntaxError) {
        self.init(try JSONDocument(parsing: data).root)
    }

    func equals(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .number(let right)): Double(left) == right
        case (.number(let left), .integer(let right)): left == Double(right)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.equals($1) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { name, value in right[name].map(value.equals) ?? false }
        default: self == other
        }
    }

    /// The value as compact JSON, with members in the order of their names.
    var text: String { JSONText(self).text(.compact) }
}

extension JSONText {
    /// A value with members in the order of their names.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .number(value)
        // A number that is too large for Double is infinite.
        case .number(let value): self = .token(value.isFinite ? "\(value)" : value < 0 ? "-1e999" : "1e999")
        case .string(let text): self = .string(text)
        case .array(let values): self = .array(values.map(JSONText.init))
        case .object(let members):
            self = .object(
                members.sorted { $0.key < $1.key }
                    .map { Member(name: JSONText.quoted($0.key), value: JSONText($0.value)) })
        }
    }
}

/// Hexadecimal digits.
enum Hex {
    /// The bytes of an even number of digits; `nil` for any other text.
    static func decode(_ text: String) -> Data? {
        let digits = text.unicodeScalars.map(\.hexValue)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var data = Data()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            data.append(UInt8(high << 4 | low))
        }
        return data
    }
}
