extension UnsafeRawBufferPointer {
    /// The same bytes as octets, which collections and strings take in one go.
    var octets: UnsafeBufferPointer<UInt8> { assumingMemoryBound(to: UInt8.self) }

    /// The bytes as a string; what is not UTF-8 becomes U+FFFD.
    var text: String { String(decoding: octets, as: UTF8.self) }

    /// A part of the bytes, counted from its own beginning.
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// A number of milliseconds in ASCII digits alone, at most a year; nil for anything else, nothing included.
    var milliseconds: Duration? {
        guard !isEmpty else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = Swift.min(number * 10 + Int64(byte - UInt8(ascii: "0")), 365 * 86_400_000)
        }
        return .milliseconds(number)
    }
}
