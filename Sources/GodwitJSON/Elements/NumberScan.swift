/// Checks a number (RFC 8259 section 6) that may continue in the next chunk.
struct NumberScan: Sendable {
    private enum Phase: UInt8 {
        case minus, zero, integer, point, fraction, exponentMark, exponentSign, exponent
    }

    private var phase = Phase.zero

    /// Before the first number.
    init() {}

    /// - Parameter first: The number's first byte; `nil` is returned if it can't be one.
    init?(first: UInt8) {
        switch first {
        case UInt8(ascii: "-"): phase = .minus
        case UInt8(ascii: "0"): phase = .zero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): phase = .integer
        default: return nil
        }
    }

    /// Whether the number may end here.
    var isComplete: Bool {
        switch phase {
        case .zero, .integer, .fraction, .exponent: true
        case .minus, .point, .exponentMark, .exponentSign: false
        }
    }

    /// Moves to the first byte after the number. Returns `false` if the chunk ends first.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) throws(GrammarFault) -> Bool {
        while offset < bytes.count {
            if phase == .integer || phase == .fraction { Self.skipDigits(bytes, &offset) }
            guard offset < bytes.count else { return false }
            guard let next = next(bytes[offset]) else {
                if isComplete { return true }
                throw GrammarFault(expected: "a digit", at: offset, in: bytes)
            }
            phase = next
            offset &+= 1
        }
        return false
    }

    /// Most of a number are digits that change nothing.
    private static func skipDigits(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) {
        while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset &+= 1 }
    }

    private func next(_ byte: UInt8) -> Phase? {
        let isDigit = byte &- UInt8(ascii: "0") < 10
        switch phase {
        case .minus where isDigit: return byte == UInt8(ascii: "0") ? .zero : .integer
        case .integer where isDigit: return .integer
        case .point where isDigit, .fraction where isDigit: return .fraction
        case .exponentMark where isDigit, .exponentSign where isDigit, .exponent where isDigit: return .exponent
        case .zero, .integer:
            if byte == UInt8(ascii: ".") { return .point }
            return byte | 0x20 == UInt8(ascii: "e") ? .exponentMark : nil
        case .fraction: return byte | 0x20 == UInt8(ascii: "e") ? .exponentMark : nil
        case .exponentMark: return byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") ? .exponentSign : nil
        case .minus, .point, .exponentSign, .exponent: return nil
        }
    }
}
