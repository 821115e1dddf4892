/// What the text of a value is: a date, an identifier, a word.
enum SampleText {
    /// The format that all texts have; `nil` if there is none.
    static func format(of texts: [String]) -> String? {
        guard !texts.isEmpty else { return nil }
        let formats: [(String, (String) -> Bool)] = [
            ("date-time", isDateTime), ("date", isDate), ("uuid", isUUID), ("uri", isWebURL),
        ]
        return formats.first { texts.allSatisfy($0.1) }?.0
    }

    /// `2026-05-01`
    static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(isDigit) }) else { return false }
        let (month, day) = (Int(parts[1]) ?? 0, Int(parts[2]) ?? 0)
        return (1...12).contains(month) && (1...31).contains(day)
    }

    /// ISO 8601 with seconds or without, with or without a fraction and a zone.
    static func isDateTime(_ text: String) -> Bool {
        let day = text.prefix(10)
        guard isDate(String(day)), let separator = text.dropFirst(10).first, "Tt ".contains(separator) else {
            return false
        }
        let rest = text.dropFirst(11)
        let time = rest.prefix { isDigit($0) || $0 == ":" || $0 == "." || $0 == "," }
        return isTime(time) && isZone(rest[time.endIndex...])
    }

    private static func isTime(_ text: Substring) -> Bool {
        let whole = text.prefix { isDigit($0) || $0 == ":" }
        let parts = whole.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.count == 2 }), let hour = Int(parts[0]),
            hour < 25
        else { return false }
        let fraction = text[whole.endIndex...]
        return fraction.isEmpty
            || parts.count == 3 && fraction.count > 1 && fraction.dropFirst().allSatisfy(isDigit)
    }

    private static func isZone(_ text: Substring) -> Bool {
        if text.isEmpty || text == "Z" || text == "z" { return true }
        guard let sign = text.first, "+-".contains(sign) else { return false }
        let digits = text.dropFirst().filter { $0 != ":" }
        return (digits.count == 2 || digits.count == 4) && digits.allSatisfy(isDigit) && text.count <= 6
    }

    static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(isHexadecimal) }
    }

    static func isWebURL(_ text: String) -> Bool {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return false }
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        // A template isn't a URL yet, and `URL` doesn't accept spaces.
        return !rest.isEmpty && rest.first != "/" && text.allSatisfy { $0.isASCII && !" {}<>\"\\^`|".contains($0) }
    }

    /// A word that a program compares, rather than text for people.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter, text.count <= 40 else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
    }

    /// Whether a segment of a path is a value rather than a name: a number, a UUID, a date, an address, a long key.
    static func isValue(_ segment: String) -> Bool {
        if segment.allSatisfy(isDigit) || isUUID(segment) || isDate(segment) || segment.contains("@") { return true }
        let digits = segment.filter(isDigit).count
        if segment.count >= 12, digits > 0, segment.allSatisfy(isHexadecimal) { return true }
        // Words with hyphens are slugs, which are recognized by several samples.
        let isWords = segment.contains("-") && digits * 5 < segment.count
        return segment.count >= 20 && digits >= 2 && !isWords
    }

    static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func isHexadecimal(_ character: Character) -> Bool { character.isASCII && character.isHexDigit }
}
