extension EncodedText {
    /// Writes a string in quotes, with the escapes that Foundation writes: `\b \f \n \r \t \" \\`, `\u00` with
    /// lowercase digits for other control characters, and `\/` if asked.
    ///
    /// - Returns: Whether the text is the string without escapes.
    @inline(__always) @discardableResult
    func writeString(_ string: String, escapingSlashes: Bool) -> Bool {
        string.withBytes { writeString($0, escapingSlashes: escapingSlashes) }
    }

    @inline(__always) @discardableResult
    func writeString(_ bytes: UnsafeBufferPointer<UInt8>, escapingSlashes: Bool) -> Bool {
        guard let source = bytes.baseAddress else {
            write("\"\"")
            return true
        }
        reserve(bytes.count &+ 2)
        let target = end
        target[0] = UInt8(ascii: "\"")
        guard
            EscapeFree.copy(source, count: bytes.count, to: target + 1, slash: EscapeFree.slashes(escapingSlashes))
        else {
            writeEscaped(bytes, escapingSlashes: escapingSlashes)
            return false
        }
        target[bytes.count &+ 1] = UInt8(ascii: "\"")
        count &+= bytes.count &+ 2
        return true
    }

    @inline(never)
    private func writeEscaped(_ bytes: UnsafeBufferPointer<UInt8>, escapingSlashes: Bool) {
        let slash = EscapeFree.slashes(escapingSlashes)
        write(UInt8(ascii: "\""))
        var place = 0
        while place &+ 8 <= bytes.count {
            let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self)
            reserve(8)
            UnsafeMutableRawPointer(end).storeBytes(of: word, as: UInt64.self)
            let plain = EscapeFree.plainCount(word, slash: slash)
            count &+= plain
            place &+= plain
            guard plain < 8 else { continue }
            writeEscaped(bytes[place], escapingSlashes: escapingSlashes)
            place &+= 1
        }
        for byte in bytes[place...] { writeEscaped(byte, escapingSlashes: escapingSlashes) }
        write(UInt8(ascii: "\""))
    }

    private func writeEscaped(_ byte: UInt8, escapingSlashes: Bool) {
        switch byte {
        case UInt8(ascii: "\""): write("\\\"")
        case UInt8(ascii: "\\"): write("\\\\")
        case UInt8(ascii: "/") where escapingSlashes: write("\\/")
        case 0x08: write("\\b")
        case 0x09: write("\\t")
        case 0x0A: write("\\n")
        case 0x0C: write("\\f")
        case 0x0D: write("\\r")
        case 0..<0x20:
            write("\\u00")
            write(UInt8(ascii: "0") &+ (byte >> 4))
            write(byte & 15 < 10 ? UInt8(ascii: "0") &+ (byte & 15) : UInt8(ascii: "a") &+ (byte & 15) &- 10)
        default: write(byte)
        }
    }
}

/// Copies text eight or sixteen bytes at a time while none of them needs an escape.
private enum EscapeFree {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let quotes: UInt64 = 0x2222_2222_2222_2222
    private static let backslashes: UInt64 = 0x5C5C_5C5C_5C5C_5C5C
    private static let spaces: UInt64 = 0x2020_2020_2020_2020

    /// The byte that needs an escape in addition to the others, eight times: the slash, or again the quote.
    @inline(__always)
    static func slashes(_ escaping: Bool) -> UInt64 { escaping ? 0x2F2F_2F2F_2F2F_2F2F : quotes }

    /// Whether none of eight bytes is a quote, a backslash, a control character or `slash`.
    @inline(__always)
    static func isPlain(_ word: UInt64, slash: UInt64) -> Bool { stops(word, slash) == 0 }

    /// How many of eight bytes in memory come before the first that needs an escape.
    @inline(__always)
    static func plainCount(_ word: UInt64, slash: UInt64) -> Int {
        // Borrows falsify only bits above the lowest one that is set. No bit is set: 64 / 8.
        stops(word.littleEndian, slash).trailingZeroBitCount >> 3
    }

    @inline(__always)
    private static func stops(_ word: UInt64, _ slash: UInt64) -> UInt64 {
        let controls = (word &- spaces) & ~word
        return (controls | zeroBytes(word ^ quotes) | zeroBytes(word ^ backslashes) | zeroBytes(word ^ slash))
            & highBits
    }

    /// Copies up to the whole source; `false` if a byte needs an escape. `target` has room for all of it.
    @inline(__always)
    static func copy(
        _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>, slash: UInt64
    ) -> Bool {
        guard count >= 8 else { return copyShort(source, count: count, to: target, slash: slash) }
        let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
        guard count < 16 else { return copyLong(from, count: count, to: to, slash: slash) }
        var offset = 0
        while offset < count {
            // The last eight bytes may overlap the ones before.
            let place = min(offset, count &- 8)
            let word = from.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard isPlain(word, slash: slash) else { return false }
            to.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
            offset = place &+ 8
        }
        return true
    }

    private static func copyLong(
        _ source: UnsafeRawPointer, count: Int, to target: UnsafeMutableRawPointer, slash: UInt64
    ) -> Bool {
        var offset = 0
        while offset < count {
            let place = min(offset, count &- 16)
            let block = source.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            guard ByteScan.isPlain(block, other: slash) else { return false }
            target.storeBytes(of: block, toByteOffset: place, as: SIMD16<UInt8>.self)
            offset = place &+ 16
        }
        return true
    }

    @inline(__always)
    private static func copyShort(
        _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>, slash: UInt64
    ) -> Bool {
        let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
        if count >= 4 {
            let head = from.loadUnaligned(as: UInt32.self)
            let tail = from.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            to.storeBytes(of: head, as: UInt32.self)
            to.storeBytes(of: tail, toByteOffset: count &- 4, as: UInt32.self)
            return isPlain(UInt64(head) | UInt64(tail) << 32, slash: slash)
        }
        var word = spaces
        for place in 0..<count {
            word = word << 8 | UInt64(source[place])
            target[place] = source[place]
        }
        return isPlain(word, slash: slash)
    }

    @inline(__always)
    private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
}
