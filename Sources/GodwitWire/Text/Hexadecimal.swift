/// Hexadecimal text in lowercase.
package enum Hexadecimal {
    /// Two digits for each byte.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            var length = 0
            for byte in bytes {
                text[length] = digit(byte >> 4)
                text[length + 1] = digit(byte & 15)
                length += 2
            }
            return length
        }
    }

    /// Sixteen digits, most significant first.
    package static func encode(_ number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { encode($0) }
    }

    /// Thirty-two digits, most significant first.
    package static func encode(_ high: UInt64, _ low: UInt64) -> String {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { encode($0) }
    }

    /// The fewest digits. Up to fifteen don't allocate.
    package static func short(_ number: UInt64) -> String {
        let count = max(1, (64 - number.leadingZeroBitCount + 3) / 4)
        return String(unsafeUninitializedCapacity: count) { text in
            for place in 0..<count {
                text[count - 1 - place] = digit(UInt8(truncatingIfNeeded: number >> UInt64(4 * place)) & 15)
            }
            return count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// The URL-safe alphabet of base64 without padding (RFC 4648 section 5).
package enum Base64URL {
    /// The encoded bytes.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let plain = Data(bytes).base64EncodedString()
        let mapped = plain.utf8.lazy.filter { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: Array(mapped), as: UTF8.self)
    }
}
