import Godwit
import GodwitPatterns
import GodwitSupport

/// A value of a response, of a variable or of an expectation.
enum CheckValue: Sendable, Hashable {
    case json(ExactJSON)
    case bytes(Data)
    case date(Date)

    static func text(_ text: String) -> CheckValue { .json(.string(text)) }

    static func integer(_ value: some BinaryInteger) -> CheckValue { .json(.integer(value)) }

    /// The value of a text as `--variable` reads it: `null`, a Boolean or a number, or else the text.
    init(parsing text: String) {
        switch text {
        case "null": self = .json(.null)
        case "true": self = .json(.bool(true))
        case "false": self = .json(.bool(false))
        default: self = .json(ExactJSON(number: text) ?? .string(text))
        }
    }

    /// The text of a string; `nil` for other values.
    var string: String? {
        guard case .json(let value) = self else { return nil }
        return value.string
    }

    /// The value of a number; `nil` for other values.
    var number: ExactNumber? {
        guard case .json(let value) = self else { return nil }
        return value.number
    }

    /// The text that replaces `{{name}}`. JSON values are written as JSON.
    var templateText: String {
        switch self {
        case .json(let value): value.string ?? value.text
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
        case .json(.number): "a number"
        case .json(.text): "a string"
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

    /// Whether this is less than, or equal to, another value of its kind; `nil` if they have no order.
    func isLess(than other: CheckValue) -> Bool? {
        switch (self, other) {
        case (.json(.number(let left)), .json(.number(let right))): left < right
        case (.json(.text(let left)), .json(.text(let right))): left < right
        case (.date(let left), .date(let right)): left < right
        default: nil
        }
    }
}

extension ExactJSON {
    /// The value as compact JSON, with members in the order of their names.
    var text: String { OrderedJSON(self).text(.compact) }
}

extension OrderedJSON {
    /// A value with members in the order of their names.
    init(_ value: ExactJSON) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value): self = .token(value.description)
        case .text(let text): self = .string(text.description)
        case .array(let values): self = .array(values.map(OrderedJSON.init))
        case .object(let members):
            self = .object(
                members.sorted { $0.key < $1.key }
                    .map { Member(name: OrderedJSON.quoted($0.key.description), value: OrderedJSON($0.value)) })
        }
    }
}
