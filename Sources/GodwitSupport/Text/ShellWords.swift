/// Splits a command line into words like a POSIX shell (IEEE Std 1003.1, section 2.2), and quotes words.
///
/// Nothing is expanded: a line that needs a shell, such as one with `$(…)` or a pipe, is rejected.
public enum ShellWords {
    /// Why a line can't be split.
    public enum Fault: Error, Hashable, CustomStringConvertible {
        case unterminatedQuote
        /// An unquoted character that a shell would interpret.
        case needsShell(Character)
        case invalidEscape

        public var description: String {
            switch self {
            case .unterminatedQuote: "a quote is not closed"
            case .needsShell(let character):
                "\"\(character)\" outside single quotes needs a shell; put the word in single quotes"
            case .invalidEscape: "an escape inside $'…' is not valid"
            }
        }
    }

    /// The words of a line.
    public static func split(_ line: String) throws(Fault) -> [String] {
        var splitter = Splitter(line)
        return try splitter.words()
    }

    /// The text quoted so that a shell reads it as one word.
    ///
    /// With characters that a terminal would act on or hide during a paste, in the form `$'…'` of bash, ksh and zsh.
    public static func quoted(_ text: String) -> String {
        guard !text.isEmpty else { return "''" }
        if text.utf8.allSatisfy(isPlain) { return text }
        if text.unicodeScalars.contains(where: \.isUnsafeInTerminals) { return ansiQuoted(text) }
        // By bytes: a quote with a combining mark is one character, but not for a shell.
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }

    private static func ansiQuoted(_ text: String) -> String {
        var quoted = "$'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "'", "\\": quoted += "\\\(scalar)"
            // After an escaped quote, it could recall a command.
            case "!": quoted += "\\x21"
            case _ where scalar.isUnsafeInTerminals && scalar.value < 0x80:
                quoted += "\\x" + Hexadecimal.encode([UInt8(scalar.value)])
            case _ where scalar.isUnsafeInTerminals:
                quoted += "\\U" + Hexadecimal.encode(UInt64(scalar.value)).suffix(8)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_./:=@%+,".utf8.contains(byte)
        }
    }
}

private struct Splitter {
    // Scalars: a quote with a combining mark is one character, but not for a shell.
    private var rest: Substring.UnicodeScalarView
    private var finished: [String] = []
    /// The current word; `nil` between words, so that `''` is an empty word.
    private var word: String?

    init(_ line: String) {
        // Continuation lines from Windows editors end with CR LF.
        rest = Substring(line.replacing("\r\n", with: "\n")).unicodeScalars
    }

    mutating func words() throws(ShellWords.Fault) -> [String] {
        while let character = rest.popFirst() { try take(character) }
        finishWord()
        return finished
    }

    private mutating func take(_ character: Unicode.Scalar) throws(ShellWords.Fault) {
        switch character {
        case " ", "\t", "\n": finishWord()
        case "'": append(try upTo("'"))
        case "\"": try takeDoubleQuoted()
        case "\\": takeEscaped()
        case "$" where rest.first == "'":
            rest.removeFirst()
            try takeANSIQuoted()
        case "$" where !startsExpansion: append("$")
        case "|", "&", ";", "<", ">", "(", ")", "`", "$": throw .needsShell(Character(character))
        default: append(String(character))
        }
    }

    /// Whether a shell would replace a dollar sign and what follows; it keeps one before a space, for example.
    private var startsExpansion: Bool {
        guard let next = rest.first else { return false }
        return next.properties.isAlphabetic || next.properties.numericType != nil
            || "_{([@*#?$!-'\"".unicodeScalars.contains(next)
    }

    private mutating func takeEscaped() {
        guard let next = rest.popFirst(), next != "\n" else { return }
        append(String(next))
    }

    private mutating func takeDoubleQuoted() throws(ShellWords.Fault) {
        append("")
        while let character = rest.popFirst() {
            switch character {
            case "\"": return
            case "$" where !startsExpansion: append("$")
            case "$", "`": throw .needsShell(Character(character))
            case "\\": takeEscapedInDoubleQuotes()
            default: append(String(character))
            }
        }
        throw .unterminatedQuote
    }

    private mutating func takeEscapedInDoubleQuotes() {
        guard let next = rest.first else { return }
        guard ["\"", "\\", "$", "`", "\n"].contains(next) else { return append("\\") }
        rest.removeFirst()
        if next != "\n" { append(String(next)) }
    }

    /// `$'…'`, which browsers use in "Copy as cURL".
    private mutating func takeANSIQuoted() throws(ShellWords.Fault) {
        append("")
        while let character = rest.popFirst() {
            switch character {
            case "'": return
            case "\\": append(try ansiEscape())
            default: append(String(character))
            }
        }
        throw .unterminatedQuote
    }

    private mutating func ansiEscape() throws(ShellWords.Fault) -> String {
        guard let code = rest.popFirst() else { throw .unterminatedQuote }
        switch code {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "a": return "\u{7}"
        case "b": return "\u{8}"
        case "e", "E": return "\u{1B}"
        case "f": return "\u{C}"
        case "v": return "\u{B}"
        case "0": return "\0"
        case "\\", "'", "\"", "?": return String(code)
        case "x": return try scalar(digits: 2)
        case "u": return try codeUnit()
        case "U": return try scalar(digits: 8)
        default: throw .invalidEscape
        }
    }

    /// Browsers write characters above U+FFFF as two surrogates.
    private mutating func codeUnit() throws(ShellWords.Fault) -> String {
        let first = try number(digits: 4)
        guard (0xD800..<0xDC00).contains(first) else { return try text(of: first) }
        guard rest.starts(with: "\\u".unicodeScalars) else { throw .invalidEscape }
        rest.removeFirst(2)
        let second = try number(digits: 4)
        guard (0xDC00..<0xE000).contains(second) else { throw .invalidEscape }
        return try text(of: 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func scalar(digits: Int) throws(ShellWords.Fault) -> String {
        try text(of: try number(digits: digits))
    }

    private mutating func number(digits: Int) throws(ShellWords.Fault) -> UInt32 {
        let text = rest.prefix(digits).prefix(while: \.properties.isASCIIHexDigit)
        rest.removeFirst(text.count)
        guard let value = UInt32(String(text), radix: 16) else { throw .invalidEscape }
        return value
    }

    private func text(of value: UInt32) throws(ShellWords.Fault) -> String {
        guard let scalar = Unicode.Scalar(value) else { throw .invalidEscape }
        return String(Character(scalar))
    }

    private mutating func upTo(_ end: Unicode.Scalar) throws(ShellWords.Fault) -> String {
        guard let index = rest.firstIndex(of: end) else { throw .unterminatedQuote }
        defer { rest = rest[rest.index(after: index)...] }
        return String(rest[..<index])
    }

    private mutating func append(_ text: String) {
        word = (word ?? "") + text
    }

    private mutating func finishWord() {
        if let word { finished.append(word) }
        word = nil
    }
}
