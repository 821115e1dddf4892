import Godwit
import GodwitSupport

/// Any JSON value as the document has it: numbers keep their digits, and names and texts are equal only by code units.
///
/// Two values are equal if JSON says so: numbers by value, objects whatever the order of their members.
enum ExactJSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(ExactNumber)
    case text(ExactText)
    case array([ExactJSON])
    case object([ExactText: ExactJSON])

    static func string(_ text: String) -> ExactJSON { .text(ExactText(text)) }

    static func integer(_ value: some BinaryInteger) -> ExactJSON { .number(ExactNumber(value)) }

    /// A value of a document. If a key occurs more than once, the first counts. A string that isn't valid Unicode has
    /// replacement characters.
    init(_ element: JSONElement) {
        switch element.kind {
        case .null: self = .null
        case .boolean: self = .bool(element.bool ?? false)
        case .number: self = .number(ExactNumber(source: String(decoding: element.source, as: UTF8.self)))
        case .string: self = .string(element.string ?? String(decoding: element.source, as: UTF8.self))
        case .array: self = .array(element.elements.map(ExactJSON.init))
        case .object:
            self = .object(
                Dictionary(element.members.lazy.map { (ExactText($0.key), ExactJSON($0.value)) }) { first, _ in first })
        }
    }

    init(parsing data: Data) throws(JSONSyntaxError) {
        self.init(try JSONDocument(parsing: data).root)
    }

    /// A number as JSON spells it; `nil` for any other text.
    init?(number text: String) {
        guard let first = text.unicodeScalars.first, first.isDigit || first == "-",
            let document = try? JSONDocument(parsing: Data(text.utf8)), document.root.kind == .number
        else { return nil }
        self.init(document.root)
    }

    /// The text of a string; `nil` for other values.
    var string: String? {
        guard case .text(let text) = self else { return nil }
        return text.description
    }

    /// The value of a number; `nil` for other values.
    var number: ExactNumber? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    subscript(name: String) -> ExactJSON? {
        guard case .object(let members) = self else { return nil }
        return members[ExactText(name)]
    }
}
