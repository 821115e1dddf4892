#if HTTPTypes
/// Field values as bytes (RFC 9110 section 5.5).
///
/// Godwit keeps them as text, in which each byte that isn't UTF-8 is one of U+EF80 to U+EFFF
/// (``HTTPField/value``).
enum FieldBytes {
    private static let escapes: ClosedRange<UInt32> = 0xEF80...0xEFFF

    /// The bytes that are sent for a text.
    static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            escapes.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// The text for which these bytes are sent.
    static func text(of bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            let character = rest.prefix(width(startingWith: first))
            if let scalar = String(validating: character, as: UTF8.self)?.unicodeScalars.first,
                !escapes.contains(scalar.value)
            {
                text.append(scalar)
                rest = rest.dropFirst(character.count)
            } else {
                if let escape = Unicode.Scalar(0xEF00 + UInt32(first)) { text.append(escape) }
                rest = rest.dropFirst()
            }
        }
        return String(text)
    }

    /// How many bytes the character has that begins with this one.
    private static func width(startingWith byte: UInt8) -> Int {
        switch byte {
        case 0xC2..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0..<0xF5: 4
        default: 1
        }
    }
}
#endif
