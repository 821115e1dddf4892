import GodwitSupport

/// Texts in texts: strings of JSON, and percent-encoded values.
enum SecretEscapes {
    /// The content of a string of JSON, with the offset of each byte and of the end in the content as written.
    ///
    /// What isn't an escape stays as it is.
    static func unescaped(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], offsets: [Int]) {
        guard text.contains(UInt8(ascii: "\\")) else { return (Array(text), Array(text.startIndex...text.endIndex)) }
        var (bytes, offsets): ([UInt8], [Int]) = ([], [])
        var index = text.startIndex
        while index < text.endIndex {
            let (written, count) = character(at: index, in: text)
            bytes += written
            offsets += repeatElement(index, count: written.count)
            index += count
        }
        return (bytes, offsets + [text.endIndex])
    }

    /// The bytes of the character at an offset, and how many bytes it takes.
    private static func character(at index: Int, in text: ArraySlice<UInt8>) -> ([UInt8], Int) {
        guard text[index] == UInt8(ascii: "\\"), index + 1 < text.endIndex else { return ([text[index]], 1) }
        switch text[index + 1] {
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: index, in: text) else { return ([text[index]], 1) }
            if let scalar = Unicode.Scalar(unit) { return (Array(String(scalar).utf8), 6) }
            guard unit < 0xDC00, let low = codeUnit(at: index + 6, in: text), (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            else { return (Array("\u{FFFD}".utf8), 6) }
            return (Array(String(scalar).utf8), 12)
        case let byte: return ([byte], 2)
        }
    }

    private static func codeUnit(at index: Int, in text: ArraySlice<UInt8>) -> UInt32? {
        guard index + 6 <= text.endIndex, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u"),
            text[index + 2..<index + 6].allSatisfy(\.isHexDigit)
        else { return nil }
        return UInt32(String(decoding: text[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }

    /// The value of an item in a form. What isn't an encoding stays as it is.
    static func decodedItem(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let digits = text[index...].dropFirst().prefix(2)
            if text[index] == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit) {
                bytes.append(UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0)
                index += 3
            } else {
                bytes.append(text[index] == UInt8(ascii: "+") ? 0x20 : text[index])
                index += 1
            }
        }
        return bytes
    }
}

extension UInt8 {
    var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
}
