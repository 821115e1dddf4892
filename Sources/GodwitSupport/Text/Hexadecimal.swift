/// Hexadecimal text in lowercase.
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

    /// The fewest digits. Up to fifteen don't allocate.
    public static func short(_ number: UInt64) -> String {
        let count = max(1, (64 - number.leadingZeroBitCount + 3) / 4)
        return String(unsafeUninitializedCapacity: count) { text in
            for place in 0..<count {
                text[count - 1 - place] = digit(UInt8(truncatingIfNeeded: number >> UInt64(4 * place)) & 15)
            }
            return count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
