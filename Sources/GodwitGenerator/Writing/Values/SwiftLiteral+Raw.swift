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
        for character in text {
            switch character {
            case "\"", "\\": (current, isCounting) = (0, true)
            case "#" where isCounting:
                current += 1
                longest = max(longest, current)
            default: isCounting = false
            }
        }
        return longest + 1
    }
}
