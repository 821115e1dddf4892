/// Why a text can't be parsed, and where.
public struct SyntaxFault: Error, Hashable {
    public let message: String
    /// The index of the scalar at which parsing stopped.
    public let offset: Int

    public init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}

/// Reads a text one Unicode scalar at a time.
public struct TextScanner: Sendable {
    public let scalars: [Unicode.Scalar]
    public var offset = 0

    public init(_ text: some StringProtocol) {
        scalars = Array(text.unicodeScalars)
    }

    public var isAtEnd: Bool { offset >= scalars.count }

    /// The next scalar, which stays unread; `nil` at the end.
    public var next: Unicode.Scalar? { peek(0) }

    /// The scalar so many places ahead.
    public func peek(_ distance: Int) -> Unicode.Scalar? {
        let index = offset + distance
        return index < scalars.count ? scalars[index] : nil
    }

    public mutating func read() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        offset += 1
        return scalar
    }

    /// Whether the unread text starts with a text.
    public func starts(with text: String) -> Bool {
        var index = offset
        for scalar in text.unicodeScalars {
            guard index < scalars.count, scalars[index] == scalar else { return false }
            index += 1
        }
        return true
    }

    /// Reads a text if the unread text starts with it.
    public mutating func skip(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        offset += text.unicodeScalars.count
        return true
    }

    /// Reads scalars while they satisfy a condition.
    public mutating func read(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = offset
        while let scalar = next, condition(scalar) { offset += 1 }
        return text(start..<offset)
    }

    public mutating func skipSpaces() {
        while let scalar = next, scalar.isSpace { offset += 1 }
    }

    public func text(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }

    public func fault(_ message: String) -> SyntaxFault { SyntaxFault(message, at: offset) }
}

extension Unicode.Scalar {
    /// Whether this is a space or tab.
    public var isSpace: Bool { self == " " || self == "\t" }

    public var isDigit: Bool { ("0"..."9").contains(self) }

    public var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    /// Whether this can be part of a keyword or of the name of a variable.
    public var isNamePart: Bool { isASCIILetter || isDigit || self == "_" || self == "-" }

    /// The value of a hexadecimal digit.
    public var hexValue: UInt32? { properties.isASCIIHexDigit ? UInt32(String(self), radix: 16) : nil }
}
