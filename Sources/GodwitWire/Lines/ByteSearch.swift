/// Finds control characters in memory, eight bytes at a time.
enum ByteSearch {
    /// The offset of the first byte that is one of two, both below 0x7F, from an offset on.
    static func first(
        of one: UInt8, or other: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        let ones = UInt64(one) &* lowBits
        let others = UInt64(other) &* lowBits
        // Control characters are rare in text: one test passes over words without any as small as the two.
        let bounds = (UInt64(max(one, other)) + 1) &* lowBits
        var offset = start
        while offset + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if (word &- bounds) & ~word & highBits != 0 {
                let found = zeroBytes(in: word ^ ones) | zeroBytes(in: word ^ others)
                if found != 0 { return offset + found.trailingZeroBitCount / 8 }
            }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] == one || bytes[offset] == other { return offset }
            offset += 1
        }
        return nil
    }

    private static let lowBits: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The high bit of each byte that is zero. A borrow may set higher bits wrongly, never a lower one than the first.
    private static func zeroBytes(in word: UInt64) -> UInt64 {
        (word &- lowBits) & ~word & highBits
    }
}
