/// Splits a command line as bash does, as far as commands that were copied need it: quotes, escapes, continued lines.
public struct ShellWords {
    private var rest: Substring
    private var words: [String] = []
    private var word: String?

    /// Returns the words of one command. Throws `.invalid` for an open quote, `.unsupported` for a pipe or a list of commands.
    public static func words(_ command: String) throws(GenerationError) -> [String] {
        var reading = ShellWords(rest: Substring(command.replacing("\r\n", with: "\n")))
        try reading.read()
        return reading.words
    }

    private init(rest: Substring) {
        self.rest = rest
    }

    private mutating func read() throws(GenerationError) {
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t", "\n": endWord()
            case "'": try readSingle()
            case "\"": try readDouble()
            case "$" where rest.first == "'":
                rest.removeFirst()
                try readEscaped()
            case "\\": readEscape()
            case "|", ";", "&", ">", "<":
                throw GenerationError(
                    .unsupported, "`\(character)` outside quotes: give one curl command and quote its URL")
            default: append(character)
            }
        }
        endWord()
    }

    private mutating func endWord() {
        if let word { words.append(word) }
        word = nil
    }

    private mutating func append(_ character: Character) { word = (word ?? "") + String(character) }

    /// A backslash at the end of a line continues it.
    private mutating func readEscape() {
        guard let next = rest.popFirst() else { return }
        if next != "\n" { append(next) }
    }

    private mutating func readSingle() throws(GenerationError) {
        let text = rest.prefix { $0 != "'" }
        guard text.endIndex < rest.endIndex else { throw Self.open("'") }
        word = (word ?? "") + text
        rest = rest[text.endIndex...].dropFirst()
    }

    private mutating func readDouble() throws(GenerationError) {
        word = word ?? ""
        while let character = rest.popFirst() {
            if character == "\"" { return }
            guard character == "\\", let next = rest.first else {
                append(character)
                continue
            }
            rest.removeFirst()
            if next == "\n" { continue }
            if !"\"\\$`!".contains(next) { append("\\") }
            append(next)
        }
        throw Self.open("\"")
    }

    /// `$'…'`, which browsers use for texts with quotes and line breaks.
    private mutating func readEscaped() throws(GenerationError) {
        word = word ?? ""
        while let character = rest.popFirst() {
            if character == "'" { return }
            guard character == "\\", let next = rest.popFirst() else {
                append(character)
                continue
            }
            let simple: [Character: Character] = [
                "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\u{7}", "b": "\u{8}",
            ]
            switch next {
            case "u": readScalar(maximumDigits: 4)
            case "U": readScalar(maximumDigits: 8)
            case "x": readScalar(maximumDigits: 2)
            default: append(simple[next] ?? next)
            }
        }
        throw Self.open("$'")
    }

    /// Two escapes of a surrogate pair are one character.
    private mutating func readScalar(maximumDigits: Int) {
        let value = readHexadecimal(maximumDigits)
        if (0xD800..<0xDC00).contains(value), rest.hasPrefix("\\u") {
            rest = rest.dropFirst(2)
            let low = readHexadecimal(4)
            let pair = 0x10000 + ((value - 0xD800) << 10) + (low &- 0xDC00) & 0x3FF
            append(Unicode.Scalar(pair).map(Character.init) ?? "\u{FFFD}")
        } else {
            append(Unicode.Scalar(value).map(Character.init) ?? "\u{FFFD}")
        }
    }

    private mutating func readHexadecimal(_ maximumDigits: Int) -> UInt32 {
        let digits = rest.prefix(maximumDigits).prefix { $0.isASCII && $0.isHexDigit }
        rest = rest[digits.endIndex...]
        return UInt32(digits, radix: 16) ?? 0xFFFD
    }

    private static func open(_ quote: String) -> GenerationError {
        GenerationError(.invalid, "the quote \(quote) of the curl command isn't closed")
    }
}
