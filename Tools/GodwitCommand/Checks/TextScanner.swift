import Godwit

/// Why a text can't be parsed, and where.
struct SyntaxFault: Error, Hashable {
    let message: String
    /// The index of the scalar at which parsing stopped.
    let offset: Int

    init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}

/// Reads a text one Unicode scalar at a time.
struct TextScanner: Sendable {
    let scalars: [Unicode.Scalar]
    var offset = 0

    init(_ text: some StringProtocol) {
        scalars = Array(text.unicodeScalars)
    }

    var isAtEnd: Bool { offset >= scalars.count }

    /// The next scalar, which stays unread; `nil` at the end.
    var next: Unicode.Scalar? { peek(0) }

    /// The scalar so many places ahead.
    func peek(_ distance: Int) -> Unicode.Scalar? {
        let index = offset + distance
        return index < scalars.count ? scalars[index] : nil
    }

    mutating func read() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        offset += 1
        return scalar
    }

    /// Whether the unread text starts with a text.
    func starts(with text: String) -> Bool {
        var index = offset
        for scalar in text.unicodeScalars {
            guard index < scalars.count, scalars[index] == scalar else { return false }
            index += 1
        }
        return true
    }

    /// Reads a text if the unread text starts with it.
    mutating func skip(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        offset += text.unicodeScalars.count
        return true
    }

    /// Reads scalars while they satisfy a condition.
    mutating func read(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = offset
        while let scalar = next, condition(scalar) { offset += 1 }
        return text(start..<offset)
    }

    mutating func skipSpaces() {
        while let scalar = next, scalar.isSpace { offset += 1 }
    }

    func text(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }

    func fault(_ message: String) -> SyntaxFault { SyntaxFault(message, at: offset) }
}

extension Unicode.Scalar {
    /// Whether this is a space or tab.
    var isSpace: Bool { self == " " || self == "\t" }

    var isDigit: Bool { ("0"..."9").contains(self) }

    var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    /// Whether this can be part of a keyword or of the name of a variable.
    var isNamePart: Bool { isASCIILetter || isDigit || self == "_" || self == "-" }

    /// The value of a hexadecimal digit.
    var hexValue: UInt32? { properties.isASCIIHexDigit ? UInt32(String(self), radix: 16) : nil }
}
