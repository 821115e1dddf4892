import GodwitSupport

/// Text from elsewhere made safe to print: what a terminal would act on, and what hides other text, is shown escaped.
///
/// ```swift
/// print(TerminalText.escaped(error.description))                  // \u{1b}[2J instead of an empty screen
/// ```
///
/// Escaped are control characters, also those of 8 bits, characters that change the direction of text, line separators, and
/// all that are invisible (default-ignorable), such as soft hyphens, fillers, tags and variation selectors. The joiners and
/// the two selectors that emoji need stay, and line breaks and tabs if asked for.
public struct TerminalText: Sendable {
    /// Bytes of a character that the next chunk may complete.
    private var pending = Data()

    /// Creates a text that comes in chunks.
    public init() {}

    /// Escapes one line, or a text that should become one.
    ///
    /// Line breaks and tabs become `\n`, `\r` and `\t`.
    public static func escaped(_ text: String) -> String {
        guard isUnsafe(text) else { return text }
        return escaped(text.unicodeScalars, keepsLines: false)
    }

    /// Escapes a text of several lines: line feeds, tabs, and carriage returns before line feeds stay.
    public static func escapedLines(_ text: String) -> String {
        guard isUnsafe(text) else { return text }
        return escaped(text.unicodeScalars, keepsLines: true)
    }

    /// Most texts are of printable ASCII, which is checked by bytes.
    private static func isUnsafe(_ text: String) -> Bool {
        let isPlain = text.withBytes { bytes in
            for byte in bytes where byte &- 0x20 > 0x7E - 0x20 { return false }
            return true
        }
        return !isPlain && text.unicodeScalars.contains(where: \.isUnsafeInTerminals)
    }

    /// Escapes the next chunk of a text of several lines. Bytes that aren't UTF-8 become `\x9b` and the like.
    ///
    /// - Parameter chunk: Bytes; a character may continue in the next chunk.
    public mutating func escaped(_ chunk: Data) -> Data {
        let text = pending + chunk
        let held = Self.incompleteBytes(at: text)
        pending = Data(text.suffix(held))
        return Self.escapedBytes(Data(text.dropLast(held)))
    }

    /// The rest, once the text has ended.
    public mutating func finish() -> Data {
        defer { pending = Data() }
        return Self.escapedBytes(pending)
    }

    private static func escaped(_ scalars: String.UnicodeScalarView, keepsLines: Bool) -> String {
        var shown = ""
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            scalars.formIndex(after: &index)
            let isEnd = scalar == "\r" && index < scalars.endIndex && scalars[index] == "\n"
            if !scalar.isUnsafeInTerminals || keepsLines && (scalar == "\n" || scalar == "\t" || isEnd) {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += escape(scalar)
            }
        }
        return shown
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(Hexadecimal.short(UInt64(scalar.value)))}"
        }
    }

    private static func escapedBytes(_ bytes: Data) -> Data {
        if let text = String(validating: bytes, as: UTF8.self) { return Data(escapedLines(text).utf8) }
        var shown = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = min(max(1, UTF8.width(startingWith: first)), rest.count)
            if let text = String(validating: rest.prefix(length), as: UTF8.self) {
                shown += text
                rest = rest.dropFirst(length)
            } else {
                shown += "\\x" + Hexadecimal.encode([first])
                rest = rest.dropFirst()
            }
        }
        return Data(escapedLines(shown).utf8)
    }

    /// The number of bytes at the end that the next chunk may complete: a character's first bytes, or a carriage return.
    private static func incompleteBytes(at text: Data) -> Int {
        if text.last == UInt8(ascii: "\r") { return 1 }
        for length in 1...3 {
            guard length <= text.count else { return 0 }
            let byte = text[text.endIndex - length]
            if byte & 0xC0 != 0x80 { return UTF8.width(startingWith: byte) > length ? length : 0 }
        }
        return 0
    }
}
