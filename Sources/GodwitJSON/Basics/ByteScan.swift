/// Looks at eight bytes at a time, at sixteen in long texts.
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
        let start = position
        var position = position
        var high: UInt64 = 0
        while position &+ 8 <= end {
            if position &- start == 16 { position = endOfPlainBlocks(bytes, from: position, to: end, &high) }
            guard position &+ 8 <= end else { break }
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

    /// The start of the first sixteen bytes that aren't plain text. Apart, as most texts are short.
    @inline(never)
    private static func endOfPlainBlocks(
        _ bytes: UnsafePointer<UInt8>, from position: Int, to end: Int, _ high: inout UInt64
    ) -> Int {
        var position = position
        while position &+ 16 <= end {
            let block = UnsafeRawPointer(bytes + position).loadUnaligned(as: SIMD16<UInt8>.self)
            guard isPlain(block, other: 0x2222_2222_2222_2222) else { break }
            let words = unsafeBitCast(block, to: SIMD2<UInt64>.self)
            high |= (words.x | words.y) & highBits
            position &+= 16
        }
        return position
    }

    /// Whether none of sixteen bytes is a quote, a backslash, a control character or the byte that `other` has eight times.
    @inline(__always)
    static func isPlain(_ block: SIMD16<UInt8>, other: UInt64) -> Bool {
        // Only operators of two vectors become instructions: those with a scalar, those of masks and `repeating` are loops.
        let quotes = unsafeBitCast(block .== vector(0x2222_2222_2222_2222), to: SIMD2<UInt64>.self)
        let backslashes = unsafeBitCast(block .== vector(0x5C5C_5C5C_5C5C_5C5C), to: SIMD2<UInt64>.self)
        let others = unsafeBitCast(block .== vector(other), to: SIMD2<UInt64>.self)
        let controls = unsafeBitCast(block .< vector(0x2020_2020_2020_2020), to: SIMD2<UInt64>.self)
        return (quotes.x | backslashes.x | others.x | controls.x)
            | (quotes.y | backslashes.y | others.y | controls.y) == 0
    }

    @inline(__always)
    private static func vector(_ word: UInt64) -> SIMD16<UInt8> {
        unsafeBitCast(SIMD2(word, word), to: SIMD16<UInt8>.self)
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
        let count = left.count
        guard count >= 8 else {
            var place = 0
            while place < count {
                guard left[place] == right[place] else { return false }
                place &+= 1
            }
            return true
        }
        var place = 0
        while place &+ 8 < count {
            guard word(left, place) == word(right, place) else { return false }
            place &+= 8
        }
        return word(left, count &- 8) == word(right, count &- 8)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt64 {
        UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    @inline(__always)
    static func zeroBytes(in word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }
}
