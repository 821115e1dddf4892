extension EncodedText {
    /// Writes bytes in Base64 (RFC 4648 section 4) as a string.
    func writeBase64(_ data: Data, escapingSlashes: Bool) {
        // Twice the length, in case every character is an escaped slash.
        reserve((data.count / 3 &+ 1) &* 8 &+ 2)
        base[count] = UInt8(ascii: "\"")
        count &+= 1
        data.withUnsafeBytes { writeBase64($0, escapingSlashes: escapingSlashes) }
        base[count] = UInt8(ascii: "\"")
        count &+= 1
    }

    private func writeBase64(_ bytes: UnsafeRawBufferPointer, escapingSlashes: Bool) {
        var place = 0
        while place &+ 3 <= bytes.count {
            let group = UInt32(bytes[place]) << 16 | UInt32(bytes[place &+ 1]) << 8 | UInt32(bytes[place &+ 2])
            for shift in [18, 12, 6, 0] as [UInt32] { writeSixBits(group >> shift, escapingSlashes) }
            place &+= 3
        }
        guard place < bytes.count else { return }
        let second = place &+ 1 < bytes.count ? UInt32(bytes[place &+ 1]) : nil
        let group = UInt32(bytes[place]) << 16 | (second ?? 0) << 8
        writeSixBits(group >> 18, escapingSlashes)
        writeSixBits(group >> 12, escapingSlashes)
        if second != nil { writeSixBits(group >> 6, escapingSlashes) } else { write(UInt8(ascii: "=")) }
        write(UInt8(ascii: "="))
    }

    /// Writes one character. The room is reserved.
    @inline(__always)
    private func writeSixBits(_ bits: UInt32, _ escapingSlashes: Bool) {
        let character = Self.base64Character(UInt8(truncatingIfNeeded: bits & 63))
        if escapingSlashes, character == UInt8(ascii: "/") {
            base[count] = UInt8(ascii: "\\")
            count &+= 1
        }
        base[count] = character
        count &+= 1
    }

    @inline(__always)
    private static func base64Character(_ value: UInt8) -> UInt8 {
        switch value {
        case ..<26: UInt8(ascii: "A") &+ value
        case ..<52: UInt8(ascii: "a") &+ value &- 26
        case ..<62: UInt8(ascii: "0") &+ value &- 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}
