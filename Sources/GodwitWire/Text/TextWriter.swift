/// Writes a text piece by piece, as bytes: what is written for every call, such as a line of a log or a field of a trace.
///
/// An interpolation, or a string that grows, costs several times as much for each piece.
package struct TextWriter {
    private var bytes: [UInt8] = []

    /// - Parameter capacity: The length that is expected, in bytes.
    package init(capacity: Int = 160) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func write(_ piece: String) {
        piece.withBytes { bytes.append(contentsOf: $0) }
    }

    /// Writes the first bytes of a text.
    mutating func write(_ text: String, upTo end: Int) {
        text.withBytes { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<end])) }
    }

    /// Writes the number's decimal digits.
    package mutating func write(_ number: Int) {
        if number < 0 { write("-") }
        var (rest, divisor) = (number.magnitude, UInt(1))
        while rest / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// The number of bytes written so far.
    var count: Int { bytes.count }

    /// What is written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
