/// Looks at eight bytes at a time.
enum ByteScan {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The first byte from `position` that is a quote, a backslash or a control character; `end` if there is none.
    ///
    /// - Parameter nonASCII: Is set if a byte over 0x7F was seen.
    @inline(__always)
    static func endOfPlainText(
        _ bytes: UnsafePointer<UInt8>, from position: Int, to end: Int, nonASCII: inout Bool
    ) -> Int {
        var position = position
        var high: UInt64 = 0
        while position &+ 8 <= end {
            let word = UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self).littleEndian
            let stops =
                zeroBytes(in: word ^ 0x2222_2222_2222_2222) | zeroBytes(in: word ^ 0x5C5C_5C5C_5C5C_5C5C)
                | ((word &- 0x2020_2020_2020_2020) & ~word & highBits)
            high |= word & highBits
            if stops != 0 {
                nonASCII = nonASCII || high != 0
                // Borrows falsify only bits above the lowest one that is set.
                return position &+ (stops.trailingZeroBitCount >> 3)
            }
            position &+= 8
        }
        while position < end {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            high |= UInt64(byte & 0x80)
            position &+= 1
        }
        nonASCII = nonASCII || high != 0
        return position
    }

    /// The number of spaces from `position`, if there are at least eight bytes to look at; otherwise 0.
    @inline(__always)
    static func spaces(_ bytes: UnsafePointer<UInt8>, from position: Int, to end: Int) -> Int {
        var place = position
        while place &+ 8 <= end {
            let word = UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self).littleEndian
            let others = word ^ 0x2020_2020_2020_2020
            guard others == 0 else { return place &+ (others.trailingZeroBitCount >> 3) &- position }
            place &+= 8
        }
        return place &- position
    }

    /// Whether two texts of the same length are equal. Inlined: most are short keys.
    @inline(__always)
    static func equals(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        var place = 0
        while place &+ 8 <= left.count {
            let (one, other) = (word(left, place), word(right, place))
            guard one == other else { return false }
            place &+= 8
        }
        while place < left.count {
            guard left[place] == right[place] else { return false }
            place &+= 1
        }
        return true
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt64 {
        UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    @inline(__always)
    static func zeroBytes(in word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }
}
