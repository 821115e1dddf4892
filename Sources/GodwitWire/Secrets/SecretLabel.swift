import GodwitSupport

/// The name before a colon or an equals sign.
struct SecretLabel: Sendable {
    private static let longest = 256

    /// The name, without quotes.
    let bytes: ArraySlice<UInt8>
    /// The offset of the first byte.
    let start: Int
    private(set) var quote: UInt8 = 0
    /// How often its quotes are escaped; `nil` without quotes.
    private(set) var quoteLevel: Int?
    /// Whether blanks stand between the name and its sign.
    let isApart: Bool

    /// Looks back from a sign; `nil` if there is no name.
    init?(before sign: Int, in text: SecretInput) {
        let nearest = text.start(before: sign, while: \.isBlank)
        let end = text.start(before: sign) { $0.isBlank || $0 == 0x0A || $0 == 0x0D }
        if end > 0, let quote = text[end - 1], quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            self.init(quote, at: end - 1, isApart: end < sign, in: text)
        } else {
            self.init(wordBefore: nearest, isApart: nearest < sign, in: text)
        }
    }

    private init?(_ quote: UInt8, at end: Int, isApart: Bool, in text: SecretInput) {
        let start = text.start(before: end, within: Self.longest) { $0 != quote }
        guard text[start - 1] == quote else { return nil }
        let level = text.quoteLevel(at: end)
        let last = end + 1 - SecretEnding.written(quote, level).count
        guard start < last, text.bytes[start..<last].contains(where: { $0 >= 0x40 }) else { return nil }
        self.start = start
        self.isApart = isApart
        self.quote = quote
        quoteLevel = level
        bytes = SecretEscapes.unescaped(text.bytes[start..<last]).bytes[...]
    }

    private init?(wordBefore end: Int, isApart: Bool, in text: SecretInput) {
        var start = text.start(before: end, within: Self.longest, while: Self.allows)
        while start < end, "[]".utf8.contains(text.bytes[start]) { start += 1 }
        // An escaped line break separates words.
        if start < end, "nrt".utf8.contains(text.bytes[start]), text.quoteLevel(at: start) > 0 { start += 1 }
        guard start < end else { return nil }
        self.start = start
        self.isApart = isApart
        bytes = text.bytes[start..<end]
    }

    /// Whether a name without quotes can have this byte.
    private static func allows(_ byte: UInt8) -> Bool {
        byte.isDigit || byte >= 0x80 || byte.isLetter || "_-.$%@~+[]".utf8.contains(byte)
    }

    func names(_ name: String) -> Bool { bytes.elementsEqual(name.utf8) { $0 | 0x20 == $1 } }

    // MARK: Its place

    /// Whether it is the name of an item in a query, or of a parameter in a path.
    func startsItem(in text: SecretInput, isProse: Bool) -> Bool {
        guard let before = text[start - 1] else { return text.isStart(start) && !isProse }
        return "?&#;".utf8.contains(before)
    }

    /// Whether it follows a `?` or `#` without a blank between them.
    func isInQuery(in text: SecretInput) -> Bool {
        let end = text.start(before: start) { $0 > 0x20 && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return text[end - 1].map { $0 > 0x20 } ?? false
    }

    /// Whether only blanks and dashes stand before it in its line.
    func startsLine(in text: SecretInput) -> Bool {
        let first = text.start(before: start) { $0.isBlank || $0 == UInt8(ascii: "-") }
        guard let before = text[first - 1] else { return text.isStart(first) }
        return before == 0x0A || before == 0x0D || "nr".utf8.contains(before) && text[first - 2] == UInt8(ascii: "\\")
    }

    /// The end of the string that it starts; `nil` if it doesn't start one.
    func string(in text: SecretInput) -> SecretEnding? {
        guard let quote = text[start - 1], "\"'".utf8.contains(quote) else { return nil }
        return .quote(quote, level: text.quoteLevel(at: start - 1), isBlock: false)
    }
}
