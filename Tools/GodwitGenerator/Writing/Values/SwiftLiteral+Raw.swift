extension SwiftLiteral {
    /// The lines of a multi-line raw string literal, with as many `#` as the text needs: nothing in it ends the literal
    /// or starts an interpolation.
    ///
    /// - Parameter text: Lines without control characters.
    static func rawLines(_ text: String) -> [String] {
        let marks = String(repeating: "#", count: marks(for: text))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return [marks + "\"\"\""] + lines + ["\"\"\"" + marks]
    }

    /// One more than the longest row of `#` after a quote or a backslash, and at least one.
    private static func marks(for text: String) -> Int {
        var (longest, current, isCounting) = (0, 0, false)
        // Scalars: a sign with a combining mark is one character, but not for the compiler.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                current = 0
                isCounting = true
            case "#" where isCounting:
                current += 1
                longest = max(longest, current)
            default: isCounting = false
            }
        }
        return longest + 1
    }
}

extension SwiftLiteral {
    /// The text of a literal that ``string(_:)`` made; `nil` for other expressions.
    static func text(of literal: String) -> String? {
        guard literal.count > 1, literal.hasPrefix("\""), literal.hasSuffix("\"") else { return nil }
        var result = ""
        var rest = literal.dropFirst().dropLast()
        while let character = rest.popFirst() {
            guard character == "\\" else {
                result.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": result += "\n"
            case "r": result += "\r"
            case "t": result += "\t"
            case "u":
                let digits = rest.dropFirst().prefix { $0 != "}" }
                guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else { return nil }
                result.unicodeScalars.append(scalar)
                rest = rest[digits.endIndex...].dropFirst()
            case let escaped?: result.append(escaped)
            case nil: return nil
            }
        }
        return result
    }
}
