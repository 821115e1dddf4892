extension EncodedText {
    /// Writes bytes in Base64 (RFC 4648 section 4) as a string.
    func writeBase64(_ data: Data, escapingSlashes: Bool) {
        // Twice the length, in case every character is an escaped slash.
        reserve((data.count / 3 &+ 1) &* 8 &+ 2)
        var target = Base64Target(next: end, escapesSlashes: escapingSlashes)
        target.write(UInt8(ascii: "\""))
        data.withUnsafeBytes { target.write($0) }
        target.write(UInt8(ascii: "\""))
        count = target.next - base
    }
}

/// The place of the next character, in memory that has room for all.
private struct Base64Target {
    var next: UnsafeMutablePointer<UInt8>
    let escapesSlashes: Bool

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        var place = 0
        while place &+ 3 <= bytes.count {
            let group = UInt32(bytes[place]) << 16 | UInt32(bytes[place &+ 1]) << 8 | UInt32(bytes[place &+ 2])
            writeSixBits(group >> 18)
            writeSixBits(group >> 12)
            writeSixBits(group >> 6)
            writeSixBits(group)
            place &+= 3
        }
        guard place < bytes.count else { return }
        let second = place &+ 1 < bytes.count ? UInt32(bytes[place &+ 1]) : nil
        let group = UInt32(bytes[place]) << 16 | (second ?? 0) << 8
        writeSixBits(group >> 18)
        writeSixBits(group >> 12)
        if second != nil { writeSixBits(group >> 6) } else { write(UInt8(ascii: "=")) }
        write(UInt8(ascii: "="))
    }

    @inline(__always)
    mutating func write(_ byte: UInt8) {
        next.pointee = byte
        next += 1
    }

    @inline(__always)
    private mutating func writeSixBits(_ bits: UInt32) {
        let character = Self.character(UInt8(truncatingIfNeeded: bits & 63))
        if escapesSlashes, character == UInt8(ascii: "/") { write(UInt8(ascii: "\\")) }
        write(character)
    }

    @inline(__always)
    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case ..<26: UInt8(ascii: "A") &+ value
        case ..<52: UInt8(ascii: "a") &+ value &- 26
        case ..<62: UInt8(ascii: "0") &+ value &- 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}
