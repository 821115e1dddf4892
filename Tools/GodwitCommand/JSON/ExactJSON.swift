import Godwit
import GodwitPatterns
import GodwitSupport

extension ExactJSON {
    /// A value of a document. If a key occurs more than once, the first counts. A string that isn't valid Unicode has
    /// replacement characters.
    init(_ element: JSONElement) {
        switch element.kind {
        case .null: self = .null
        case .boolean: self = .bool(element.bool ?? false)
        case .number: self = .number(ExactNumber(source: String(decoding: element.source, as: UTF8.self)))
        case .string: self = .string(element.string ?? String(decoding: element.source, as: UTF8.self))
        case .array: self = .array(element.elements.map { ExactJSON($0) })
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
}
