import Godwit

/// A text with references to variables: `{{name}}`, or `{{name filter…}}`.
struct Template: Sendable, Hashable {
    struct Expression: Sendable, Hashable {
        let name: String
        let filters: [CheckFilter]
        /// The position in the file.
        let offset: Int
    }

    enum Part: Sendable, Hashable {
        case text(String)
        case expression(Expression)
    }

    /// The maximum bytes of a text with its variables.
    static let limit = 64 << 20

    var parts: [Part]
    /// The position of the text in the file.
    let offset: Int

    init(parts: [Part], offset: Int) {
        self.parts = parts
        self.offset = offset
    }

    init(_ text: String, offset: Int) {
        parts = [.text(text)]
        self.offset = offset
    }

    /// The text, if it has no references.
    var literal: String? {
        var text = ""
        for part in parts {
            guard case .text(let piece) = part else { return nil }
            text += piece
        }
        return text
    }

    var expressions: [Expression] {
        parts.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
    }

    /// Returns the text with the values of its variables.
    ///
    /// - Parameter escape: Changes a value for its place, such as in a JSON string.
    func text(_ variables: Variables, escape: (String) -> String = { $0 }) throws(CheckFault) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let piece): text += piece
            case .expression(let expression): text += escape(try variables.value(of: expression).templateText)
            }
            if text.utf8.count > Self.limit { throw CheckFault("the text is larger than \(Self.limit >> 20) MB") }
        }
        return text
    }
}

/// The variables of a file, by name.
struct Variables: Sendable {
    /// The functions that look like variables.
    static let functions: Set<String> = ["newUuid", "newDate"]

    private(set) var values: [String: CheckValue] = [:]

    init(_ values: [String: CheckValue] = [:]) {
        self.values = values
    }

    subscript(name: String) -> CheckValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    func value(of expression: Template.Expression) throws(CheckFault) -> CheckValue {
        var value: CheckValue?
        switch expression.name {
        case "newUuid": value = .text(UUID().uuidString.lowercased())
        case "newDate": value = .text(Date().formatted(.iso8601))
        default:
            value = values[expression.name]
            if value == nil { throw CheckFault("the variable \(expression.name) has no value") }
        }
        value = try CheckFilter.apply(expression.filters, to: value, self)
        guard let value else { throw CheckFault("the filters of {{\(expression.name)}} find nothing") }
        return value
    }
}
