/// The grammar of RFC 9110 section 5: valid methods, field names and field values.
package enum Token {
    /// Whether the text is a non-empty token (RFC 9110 section 5.6.2).
    package static func isValid(_ text: String) -> Bool {
        text.withBytes { bytes in
            for byte in bytes where !isTokenByte(byte) { return false }
            return !bytes.isEmpty
        }
    }

    /// Whether the text is a valid field value: no CR, LF or NUL, which would end the field or the message.
    static func isValidFieldValue(_ text: String) -> Bool {
        text.withBytes { bytes in
            for byte in bytes where byte == 0x0D || byte == 0x0A || byte == 0x00 { return false }
            return true
        }
    }

    /// Whether a byte is valid in a token. Checked for every header line of every exchange, so it is two masks.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        let mask = byte < 0x40 ? lowTokenBytes : highTokenBytes
        return mask & (1 << UInt64(byte & 0x3F)) != 0
    }

    /// Bit n: whether byte n is one of ``!#$%&'*+-.`` and the digits.
    private static let lowTokenBytes: UInt64 = 0x03FF6CFA00000000
    /// Bit n: whether byte 64 + n is one of ``^_`|~`` and the letters.
    private static let highTokenBytes: UInt64 = 0x57FFFFFFC7FFFFFE
}

extension UInt8 {
    /// The ASCII lowercase form; other bytes are unchanged.
    @inlinable
    package var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }

    /// Whether the byte is an ASCII digit.
    package var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether the byte is an ASCII letter.
    package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    /// Whether the byte is a space or a tab.
    package var isBlank: Bool {
        self == 0x20 || self == 0x09
    }
}

extension String {
    /// Whether two strings are equal byte by byte, ignoring the case of ASCII letters. Doesn't allocate.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && withBytes { left in other.withBytes(left.equalsIgnoringASCIICase) }
    }

    /// The string with ASCII letters in lowercase.
    package var asciiLowercased: String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return self }
        return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }

    /// The string without leading and trailing spaces and tabs (OWS of RFC 9110 section 5.6.3).
    package var trimmingBlanks: String {
        guard let first = utf8.first, let last = utf8.last, first.isBlank || last.isBlank else { return self }
        var rest = utf8.drop(while: \.isBlank)
        while let byte = rest.last, byte.isBlank { rest.removeLast() }
        return String(Substring(rest))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both are equal byte by byte, ignoring the case of ASCII letters. Every field of every message is compared.
    func equalsIgnoringASCIICase(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index < count {
            let (left, right) = (self[index], other[index])
            guard left == right || left.asciiLowercased == right.asciiLowercased else { return false }
            index += 1
        }
        return true
    }
}

extension Substring {
    /// The text without leading and trailing spaces and tabs.
    package var trimmingBlanks: String { String(self).trimmingBlanks }
}

extension String {
    /// The words between commas and blanks, in lowercase.
    var lowercasedWords: [String] {
        asciiLowercased.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }

    /// Whether these are the bytes of the string's UTF-8.
    func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        utf8.count == bytes.count && withBytes { UnsafeRawBufferPointer($0).elementsEqual(bytes) }
    }

    /// Calls a function with the string's UTF-8 in place. `withUTF8` needs a variable, which would copy the string.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
