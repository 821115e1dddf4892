/// The check of UTF-8 (RFC 3629), where `String`'s initializers would replace invalid bytes.
enum UTF8Text {
    /// The position of the first invalid byte; `nil` if the text is valid.
    static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = 0
        while place < bytes.count {
            if bytes[place] < 0x80 {
                place = endOfASCII(bytes, from: place &+ 1)
                continue
            }
            if place &+ 4 <= bytes.count, isPlainTriple(bytes, place) {
                place &+= 3
                continue
            }
            let length = sequenceLength(bytes, place)
            guard length > 0 else { return place }
            place &+= length
        }
        return nil
    }

    /// Skips ASCII: eight bytes, or up to the first byte over 0x7F. Nothing at the end of the text.
    @inline(__always)
    private static func endOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) -> Int {
        guard position &+ 8 <= bytes.count else { return position }
        let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
        return position &+ ((word & ByteScan.highBits).trailingZeroBitCount >> 3)
    }

    /// Whether a sequence of three bytes starts here whose first byte allows any others: most of those of Asian texts.
    /// There must be four bytes.
    @inline(__always)
    private static func isPlainTriple(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
        // Neither E0 nor ED, after which some bytes are invalid.
        return word & 0xC0_C0F0 == 0x80_80E0 && word & 0xFF != 0xE0 && word & 0xFF != 0xED
    }

    /// The length of the sequence that starts with a byte over 0x7F; 0 if it is invalid.
    @inline(__always)
    private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        func isContinuation(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            place &+ offset < bytes.count && range.contains(bytes[place &+ offset])
        }
        switch bytes[place] {
        case 0xC2...0xDF: return isContinuation(1) ? 2 : 0
        // Neither longer than needed nor surrogates.
        case 0xE0: return isContinuation(1, 0xA0...0xBF) && isContinuation(2) ? 3 : 0
        case 0xED: return isContinuation(1, 0x80...0x9F) && isContinuation(2) ? 3 : 0
        case 0xE1...0xEF: return isContinuation(1) && isContinuation(2) ? 3 : 0
        // At most U+10FFFF.
        case 0xF0: return isContinuation(1, 0x90...0xBF) && isContinuation(2) && isContinuation(3) ? 4 : 0
        case 0xF1...0xF3: return isContinuation(1) && isContinuation(2) && isContinuation(3) ? 4 : 0
        case 0xF4: return isContinuation(1, 0x80...0x8F) && isContinuation(2) && isContinuation(3) ? 4 : 0
        default: return 0
        }
    }
}

extension String {
    /// Calls a closure with the string in UTF-8, without the reference count that `withUTF8` of a copy costs.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
