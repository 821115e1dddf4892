import GodwitSupport

/// The text of a JSON number, whose grammar the scanner has checked.
struct NumberText {
    let bytes: UnsafeBufferPointer<UInt8>
    let isFractional: Bool

    /// The number, rounded to the nearest double; `nil` if it is too large, or so small that it would become 0.
    @inline(__always)
    var double: Double? {
        if bytes.count > 64 { return rounded() }
        var digits = DecimalDigits()
        digits.read(bytes)
        if let value = digits.double { return value }
        return rounded()
    }

    /// The number, rounded to the nearest float; `nil` if it is too large, or so small that it would become 0.
    var float: Float? {
        if bytes.count > 64 { return rounded() }
        var digits = DecimalDigits()
        digits.read(bytes)
        if let value = digits.float { return value }
        return rounded()
    }

    /// The rare numbers with more digits or larger exponents than ``DecimalDigits`` handles.
    @inline(never)
    private func rounded<Value: BinaryFloatingPoint & LosslessStringConvertible>() -> Value? {
        guard let value = Value(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        return value == 0 && !isZero ? nil : value
    }

    private var isZero: Bool {
        bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }.allSatisfy { $0 < UInt8(ascii: "1") }
    }

    /// The number as an integer; `nil` if it has a fraction or doesn't fit.
    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        guard !isFractional, bytes.count <= 18 else { return longInteger() }
        var magnitude: Int64 = 0
        var index = 0
        let isNegative = bytes[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        while index < bytes.count {
            magnitude = magnitude &* 10 &+ Int64(bytes[index] &- UInt8(ascii: "0"))
            index &+= 1
        }
        return Value(exactly: isNegative ? 0 &- magnitude : magnitude)
    }

    /// Integers of many digits, and those like `1.0` and `1e2`.
    @inline(never)
    private func longInteger<Value: FixedWidthInteger>() -> Value? {
        // No integer type has as many digits.
        guard isFractional || bytes.count < 64 else { return nil }
        return ExactDigits(String(decoding: bytes, as: UTF8.self).utf8).integer()
    }
}
