/// Validates UTF-8 (RFC 3629) in pieces and fails at the first invalid byte.
struct UTF8Checker: Sendable {
    /// Missing bytes of the current character.
    private var missing = 0
    /// The valid range of the next byte.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the text ends at a character boundary.
    var isComplete: Bool { missing == 0 }

    /// Validates a piece; false if the text can't be UTF-8, whatever follows.
    mutating func check(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                index = Self.skipASCII(bytes, from: index)
                guard index < bytes.count else { return true }
                guard begin(bytes[index]) else { return false }
            } else {
                guard allowed.contains(bytes[index]) else { return false }
                allowed = 0x80...0xBF
                missing -= 1
            }
            index += 1
        }
        return true
    }

    /// Reads the first byte of a multibyte character. The range of the second excludes overlong forms, surrogates and
    /// values above U+10FFFF.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: expect(1, 0x80...0xBF)
        case 0xE0: expect(2, 0xA0...0xBF)
        case 0xED: expect(2, 0x80...0x9F)
        case 0xE1...0xEF: expect(2, 0x80...0xBF)
        case 0xF0: expect(3, 0x90...0xBF)
        case 0xF1...0xF3: expect(3, 0x80...0xBF)
        case 0xF4: expect(3, 0x80...0x8F)
        default: false
        }
    }

    private mutating func expect(_ count: Int, _ range: ClosedRange<UInt8>) -> Bool {
        missing = count
        allowed = range
        return true
    }

    private static func skipASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 8 <= bytes.count,
            bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
