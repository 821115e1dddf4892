/// RFC 8259's grammar, byte by byte: an independent judge of what is JSON.
///
/// Slow and simple on purpose. It shares nothing with the parser under test. Depth is counted as Foundation counts it.
struct StrictValidator {
    private let bytes: [UInt8]
    private var position = 0
    private let maximumDepth: Int
    /// Whether a value has half of a surrogate pair: no String holds it. Decoders report it when a type reads the value.
    private(set) var hasUnreadableValue = false

    /// Whether `bytes`, after a byte order mark, are one JSON text in UTF-8 whose keys have no half of a surrogate pair.
    static func accepts(_ bytes: [UInt8], maximumDepth: Int = 512) -> Bool {
        var validator = StrictValidator(bytes, maximumDepth: maximumDepth)
        return validator.isDocument()
    }

    init(_ bytes: [UInt8], maximumDepth: Int = 512) {
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        self.maximumDepth = maximumDepth
    }

    mutating func isDocument() -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil, value(depth: 0) else { return false }
        skipSpace()
        return position == bytes.count
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return list(depth: depth, closing: "}") { $0.member(depth: depth + 1) }
        case UInt8(ascii: "["): return list(depth: depth, closing: "]") { $0.value(depth: depth + 1) }
        case UInt8(ascii: "\""):
            guard let isPaired = string() else { return false }
            hasUnreadableValue = hasUnreadableValue || !isPaired
            return true
        case UInt8(ascii: "t"): return take("true")
        case UInt8(ascii: "f"): return take("false")
        case UInt8(ascii: "n"): return take("null")
        default: return number()
        }
    }

    private mutating func list(depth: Int, closing: String, _ element: (inout Self) -> Bool) -> Bool {
        guard depth < maximumDepth else { return false }
        position += 1
        skipSpace()
        if take(closing) { return true }
        repeat {
            guard element(&self) else { return false }
            skipSpace()
        } while take(",")
        return take(closing)
    }

    private mutating func member(depth: Int) -> Bool {
        skipSpace()
        guard string() == true else { return false }
        skipSpace()
        return take(":") && value(depth: depth)
    }

    private mutating func number() -> Bool {
        _ = take("-")
        guard take("0") || digits() else { return false }
        if take("."), !digits() { return false }
        guard take("e") || take("E") else { return true }
        _ = take("+") || take("-")
        return digits()
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
        return position > start
    }

    /// Whether the string's surrogates are paired; `nil` if it isn't a JSON string.
    private mutating func string() -> Bool? {
        guard take("\"") else { return nil }
        var (followsHigh, isPaired) = (false, true)
        while let byte = next, byte >= 0x20 {
            position += 1
            if byte == UInt8(ascii: "\"") { return isPaired && !followsHigh }
            var unit: UInt16 = 0
            if byte == UInt8(ascii: "\\") {
                guard let escaped = escape() else { return nil }
                unit = escaped
            }
            if followsHigh != UTF16.isTrailSurrogate(unit) { isPaired = false }
            followsHigh = UTF16.isLeadSurrogate(unit)
        }
        return nil
    }

    /// The code unit of `\uXXXX`, or 0 for the short escapes.
    private mutating func escape() -> UInt16? {
        guard let byte = next else { return nil }
        position += 1
        if Array(#""\/bfnrt"#.utf8).contains(byte) { return 0 }
        guard byte == UInt8(ascii: "u"), position + 4 <= bytes.count else { return nil }
        let digits = bytes[position..<position + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }) else { return nil }
        position += 4
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
