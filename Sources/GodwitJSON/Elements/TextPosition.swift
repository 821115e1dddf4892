/// Counts bytes, lines and characters of a text that arrives in chunks.
struct TextPosition: Sendable {
    /// Bytes, from 0.
    private(set) var offset = 0
    /// Lines, from 1.
    private(set) var line = 1
    /// Characters of the current line before the position. A byte order mark isn't counted.
    private(set) var column = 0

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Moves over bytes, eight at a time.
    mutating func advance(over bytes: UnsafeRawBufferPointer) {
        let breaks = Self.lineBreaks(in: bytes)
        var tail = bytes
        if breaks > 0, let last = bytes.lastIndex(of: 0x0A) {
            line &+= breaks
            column = 0
            tail = UnsafeRawBufferPointer(rebasing: bytes[(last + 1)...])
        } else if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            tail = UnsafeRawBufferPointer(rebasing: bytes[3...])
        }
        column &+= Self.characters(in: tail)
        offset &+= bytes.count
    }

    private static func lineBreaks(in bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        let words = bytes.count & ~7
        for offset in stride(from: 0, to: words, by: 8) {
            let difference = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ (ones &* 0x0A)
            // Without borrows between bytes, so that the count is exact.
            let nonzero = ((difference & ~highBits) &+ ~highBits) | difference
            count &+= (~nonzero & highBits).nonzeroBitCount
        }
        for offset in words..<bytes.count where bytes[offset] == 0x0A { count &+= 1 }
        return count
    }

    /// The number of bytes that don't continue a character (RFC 3629).
    private static func characters(in bytes: UnsafeRawBufferPointer) -> Int {
        var continuations = 0
        let words = bytes.count & ~7
        for offset in stride(from: 0, to: words, by: 8) {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            continuations &+= (word & ~(word << 1) & highBits).nonzeroBitCount
        }
        for offset in words..<bytes.count where bytes[offset] & 0xC0 == 0x80 { continuations &+= 1 }
        return bytes.count &- continuations
    }
}
