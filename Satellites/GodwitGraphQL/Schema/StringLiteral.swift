/// Strings in the language of queries (GraphQL specification, section 2.9.4).
package enum StringLiteral {
    /// A string in quotes, with escapes.
    package static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case "\u{8}": literal += "\\b"
            case "\u{C}": literal += "\\f"
            case ..<" ", "\u{7F}"..."\u{9F}":
                let code = String(scalar.value, radix: 16, uppercase: true)
                literal += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// A description: a block string if that can express the text.
    package static func description(_ text: String) -> String {
        canBeBlock(text) ? block(text) : quoted(text)
    }

    /// Splits at the line ends of GraphQL, which are fewer than those of Unicode.
    private static func lines(_ text: String) -> [Substring.UnicodeScalarView] {
        Substring(text).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    private static func isBlank(_ line: Substring.UnicodeScalarView) -> Bool { line.allSatisfy(isBlank) }

    /// Whether a block string with this text is read as the same text: readers remove common indentation, and blank lines
    /// at both ends.
    private static func canBeBlock(_ text: String) -> Bool {
        if text.isEmpty { return true }
        let isPrintable = text.unicodeScalars.allSatisfy { $0 >= " " || $0 == "\n" || $0 == "\t" }
        let lines = lines(text)
        guard isPrintable, let first = lines.first, let last = lines.last, !isBlank(first), !isBlank(last) else {
            return false
        }
        let filled = lines.dropFirst().filter { !isBlank($0) }
        return filled.isEmpty || !([first] + filled).allSatisfy { $0.first.map(isBlank) ?? false }
    }

    private static func block(_ text: String) -> String {
        // In bytes: the last quote may be one character with a combining mark.
        let escaped = String(
            decoding: Array(text.utf8).replacing(Array("\"\"\"".utf8), with: Array("\\\"\"\"".utf8)), as: UTF8.self)
        let lines = lines(text)
        let isSingle = lines.count == 1
        let startsOnNewLine =
            !isSingle && lines.dropFirst().allSatisfy { $0.first.map(isBlank) ?? true }
        let endsWithTripleQuotes = escaped.hasSuffix("\\\"\"\"")
        let endsOnNewLine = text.hasSuffix("\"") && !endsWithTripleQuotes || text.hasSuffix("\\")
        let isTall = !isSingle || text.utf16.count > 70 || endsOnNewLine || startsOnNewLine || endsWithTripleQuotes
        let keepsStart = isSingle && (text.unicodeScalars.first.map(isBlank) ?? false)
        let start = isTall && !keepsStart || startsOnNewLine ? "\n" : ""
        return "\"\"\"" + start + escaped + (isTall || endsOnNewLine ? "\n" : "") + "\"\"\""
    }
}
