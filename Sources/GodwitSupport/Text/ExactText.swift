/// A text that equals another only if all code units do (RFC 8259 section 8.3).
///
/// `String` takes `é` and `e` with a combining accent for equal: two members of a JSON object would become one.
public struct ExactText: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(_ text: String) {
        description = text
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var text = description
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
