/// Hexadecimal text: written in lowercase, read in either case.
public enum Hexadecimal {
    /// Two digits for each byte.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            var length = 0
            for byte in bytes {
                text[length] = digit(byte >> 4)
                text[length + 1] = digit(byte & 15)
                length += 2
            }
            return length
        }
    }

    /// Sixteen digits, most significant first.
    public static func encode(_ number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { encode($0) }
    }

    /// Thirty-two digits, most significant first.
    public static func encode(_ high: UInt64, _ low: UInt64) -> String {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { encode($0) }
    }

    /// Sixteen digits of one number, a dash, and the fewest digits of another.
    public static func encode(_ number: UInt64, dash other: UInt64) -> String {
        let count = shortCount(other)
        return String(unsafeUninitializedCapacity: 17 + count) { text in
            write(number, digits: 16, to: text, at: 0)
            text[16] = UInt8(ascii: "-")
            write(other, digits: count, to: text, at: 17)
            return 17 + count
        }
    }

    /// The fewest digits. Up to fifteen don't allocate.
    public static func short(_ number: UInt64) -> String {
        let count = shortCount(number)
        return String(unsafeUninitializedCapacity: count) { text in
            write(number, digits: count, to: text, at: 0)
            return count
        }
    }

    private static func shortCount(_ number: UInt64) -> Int { max(1, (64 - number.leadingZeroBitCount + 3) / 4) }

    private static func write(
        _ number: UInt64, digits count: Int, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) {
        for place in 0..<count {
            text[start + count - 1 - place] = digit(UInt8(truncatingIfNeeded: number >> UInt64(4 * place)) & 15)
        }
    }

    /// The value of a digit; `nil` for another byte.
    @inlinable @inline(__always)
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// The bytes of an even number of digits; `nil` for any other text.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var (bytes, rest) = ([UInt8](), text[...])
        while let high = rest.popFirst(), let low = rest.popFirst() {
            guard let high = value(of: high), let low = value(of: low) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
