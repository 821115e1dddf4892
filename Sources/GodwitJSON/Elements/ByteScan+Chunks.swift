/// The searches of a document that arrives in chunks.
extension ByteScan {
    /// The first byte from `offset` that is a quote, a backslash, a control character or not ASCII.
    @inline(__always)
    static func endOfASCIIText(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int {
        var offset = offset
        while offset &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let controls = (word &- ones &* 0x20) & ~word
            let stops = (quotes(in: word) | controls | word) & highBits
            // Borrows falsify only bits above the lowest one that is set.
            if stops != 0 { return offset &+ stops.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte > 0x7F { break }
            offset &+= 1
        }
        return offset
    }

    /// The first byte from `offset` that is a quote or a backslash.
    @inline(__always)
    static func endOfText(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int {
        var offset = offset
        while offset &+ 8 <= bytes.count {
            let stops = quotes(in: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            if stops != 0 { return offset &+ stops.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\") {
            offset &+= 1
        }
        return offset
    }

    /// The first byte from `offset` that is a quote, a bracket or a brace.
    @inline(__always)
    static func endOfScalars(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int {
        var offset = offset
        while offset &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            // Brackets and braces differ in one bit.
            let folded = word | ones &* 0x20
            let stops =
                zeroBytes(in: word ^ ones &* 0x22) | zeroBytes(in: folded ^ ones &* 0x7B)
                | zeroBytes(in: folded ^ ones &* 0x7D)
            if stops != 0 { return offset &+ stops.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            let folded = byte | 0x20
            if byte == UInt8(ascii: "\"") || folded == UInt8(ascii: "{") || folded == UInt8(ascii: "}") { break }
            offset &+= 1
        }
        return offset
    }

    /// Sets the high bit of the first quote or backslash, and perhaps bits above it.
    @inline(__always)
    private static func quotes(in word: UInt64) -> UInt64 {
        zeroBytes(in: word ^ ones &* 0x22) | zeroBytes(in: word ^ ones &* 0x5C)
    }
}
