/// Words of a document as Swift source.
enum SwiftLiteral {
    /// A string literal on one line.
    static func string(_ text: String) -> String {
        quoted(text) { scalar in "\\u{\(String(scalar.value, radix: 16))}" }
    }

    /// A JSON string, with all characters that aren't printable escaped.
    static func json(_ text: String) -> String {
        quoted(text) { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }

    /// - Parameter escape: Writes a character that isn't printable.
    private static func quoted(_ text: String, escape: (Unicode.Scalar) -> String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result += needsEscape(scalar) ? escape(scalar) : String(scalar)
            }
        }
        return result + "\""
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    /// A name where it is declared or used as a member: with backticks if Swift needs them.
    static func identifier(_ name: String) -> String { needsBackticks(name) ? "`\(name)`" : name }

    /// A label where a parameter is declared: most keywords need no backticks there.
    static func label(_ name: String) -> String { ["inout", "var", "let"].contains(name) ? "`\(name)`" : name }

    /// A label in a call, where the compiler warns of backticks that aren't needed.
    static func argument(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    static func needsBackticks(_ name: String) -> Bool { keywords.contains(name) }

    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
        "internal", "let", "open", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static",
        "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
        "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while",
        "Any", "as", "await", "catch", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "_",
        "Type", "Protocol",
    ]
}
