/// Any JSON value as its text has it: numbers keep their digits, and names and texts are equal only by code units.
///
/// Two values are equal if JSON says so: numbers by value, objects whatever the order of their members.
public enum ExactJSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(ExactNumber)
    case text(ExactText)
    case array([ExactJSON])
    case object([ExactText: ExactJSON])

    public static func string(_ text: String) -> ExactJSON { .text(ExactText(text)) }

    public static func integer(_ value: some BinaryInteger) -> ExactJSON { .number(ExactNumber(value)) }

    /// The text of a string; `nil` for other values.
    public var string: String? {
        guard case .text(let text) = self else { return nil }
        return text.description
    }

    /// The value of a number; `nil` for other values.
    public var number: ExactNumber? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    public subscript(name: String) -> ExactJSON? {
        guard case .object(let members) = self else { return nil }
        return members[ExactText(name)]
    }
}
