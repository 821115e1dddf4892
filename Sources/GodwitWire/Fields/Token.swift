/// The grammar of RFC 9110 section 5: what may stand in a method, a field name and a field value.
package enum Token {
    /// Whether the text is a non-empty token (RFC 9110 section 5.6.2).
    package static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Whether the text can stand as a field value: no CR, LF or NUL, which would end the field or the message.
    package static func isValidFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0x00 }
    }

    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}

extension UInt8 {
    /// The ASCII lower-case form; other bytes stay as they are.
    @inlinable
    package var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }

    /// Whether the byte is a space or a tab.
    package var isBlank: Bool {
        self == 0x20 || self == 0x09
    }
}

extension String {
    /// Whether two strings are equal byte by byte when ASCII letters are compared without case. Does not allocate.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let answer = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                left.indices.allSatisfy { left[$0].asciiLowercased == right[$0].asciiLowercased }
            }
        }
        return (answer ?? nil) ?? zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The string with its ASCII letters in lower case.
    package var asciiLowercased: String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return self }
        return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }

    /// The string without spaces and tabs at its ends (OWS of RFC 9110 section 5.6.3).
    package var trimmingBlanks: String {
        guard let first = utf8.first, let last = utf8.last, first.isBlank || last.isBlank else { return self }
        var rest = utf8.drop(while: \.isBlank)
        while let byte = rest.last, byte.isBlank { rest.removeLast() }
        return String(Substring(rest))
    }
}
