import GodwitSupport

/// Field values as text. A value is bytes (RFC 9110 section 5.5): UTF-8 by convention, and something else now and then.
///
/// What a client gives back to its server, such as a cookie or an entity tag, has to keep its bytes. In such values, each byte
/// that isn't UTF-8 becomes one of the private characters U+EF80 to U+EFFF, and is that byte again when it is sent. Other values
/// are for people: if they aren't UTF-8, they are read as Latin-1.
package enum FieldText {
    private static let firstEscape: UInt32 = 0xEF00
    /// What each private character begins with in UTF-8.
    package static let leadByte: UInt8 = 0xEE

    /// The text of a received value.
    package static func decode(_ bytes: UnsafeRawBufferPointer, for name: HTTPField.Name) -> String {
        var highBits: UInt8 = 0
        for byte in bytes { highBits |= byte }
        if highBits < 0x80 { return String(decoding: bytes, as: UTF8.self) }
        if opaque.contains(name) { return exact(bytes) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Text from which ``bytes(of:)`` gives the same bytes.
    package static func exact(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = max(1, UTF8.width(startingWith: first))
            if let piece = String(validating: rest.prefix(length), as: UTF8.self),
                !piece.unicodeScalars.contains(where: isEscape)
            {
                text += piece
                rest = rest.dropFirst(length)
            } else {
                text.unicodeScalars.append(Unicode.Scalar(firstEscape + UInt32(first)) ?? "\u{FFFD}")
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// The bytes to send for a text.
    package static func bytes(of text: String) -> [UInt8] {
        guard holdsEscapes(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            isEscape(scalar) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// Adds the bytes to send for a text.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        guard holdsEscapes(text) else { return text.withBytes { bytes.append(contentsOf: $0) } }
        bytes.append(contentsOf: self.bytes(of: text))
    }

    /// Whether ``bytes(of:)`` differs from UTF-8.
    static func holdsEscapes(_ text: String) -> Bool {
        text.utf8.contains(leadByte) && text.unicodeScalars.contains(where: isEscape)
    }

    /// A reference in which bytes that aren't UTF-8 are percent-encoded.
    static func percentEncodingOtherBytes(_ text: String) -> String {
        guard holdsEscapes(text) else { return text }
        return text.unicodeScalars.reduce(into: "") { encoded, scalar in
            if isEscape(scalar) {
                encoded += "%" + Hexadecimal.encode([UInt8(truncatingIfNeeded: scalar.value)])
            } else {
                encoded.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text for people: Latin-1 instead of private characters.
    package static func readable(_ text: String) -> String {
        guard holdsEscapes(text) else { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { isEscape($0) ? Unicode.Scalar(UInt8(truncatingIfNeeded: $0.value)) : $0 }))
    }

    private static func isEscape(_ scalar: Unicode.Scalar) -> Bool { (0xEF80...0xEFFF).contains(scalar.value) }

    /// The fields whose values, or parts of them, a client sends back.
    private static let opaque: Set<HTTPField.Name> = [
        .setCookie, .cookie, .etag, .ifMatch, .ifNoneMatch, .ifRange, .location, .contentLocation, .link,
        .wwwAuthenticate,
        .authorization, "Proxy-Authenticate", "Authentication-Info", "DPoP-Nonce", "Refresh",
    ]
}

extension UTF8 {
    /// The bytes of the character that begins with a byte; 0 if none does.
    package static func width(startingWith first: UInt8) -> Int {
        switch first {
        case 0..<0x80: 1
        case 0xC2..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0..<0xF5: 4
        default: 0
        }
    }
}
