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
        var digits = ExactDigits(bytes)
        return digits.integer()
    }
}

/// The significant digits of a number and its decimal exponent, without rounding.
private struct ExactDigits {
    private var digits: [UInt8] = []
    private var exponent = 0
    private var isNegative = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        digits.reserveCapacity(bytes.count)
        var (isFraction, place) = (false, 0)
        while place < bytes.count, bytes[place] | 0x20 != UInt8(ascii: "e") {
            switch bytes[place] {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case let byte:
                digits.append(byte &- UInt8(ascii: "0"))
                if isFraction { exponent &-= 1 }
            }
            place &+= 1
        }
        guard place < bytes.count else { return }
        let written = Int(String(decoding: bytes[(place &+ 1)...], as: UTF8.self))
        // An exponent too large for Int is larger than that of any integer type.
        exponent =
            exponent.addingReportingOverflow(
                written ?? (bytes[place &+ 1] == UInt8(ascii: "-") ? .min / 2 : .max / 2)
            ).partialValue
    }

    mutating func integer<Value: FixedWidthInteger>() -> Value? {
        while exponent < 0, digits.last == 0 {
            digits.removeLast()
            exponent &+= 1
        }
        let firstDigit = digits.firstIndex { $0 != 0 } ?? digits.endIndex
        guard firstDigit < digits.endIndex else { return 0 }
        guard exponent >= 0, exponent <= 40 else { return nil }
        var value: Value = 0
        for digit in digits[firstDigit...] {
            guard add(digit, to: &value) else { return nil }
        }
        for _ in 0..<exponent {
            guard add(0, to: &value) else { return nil }
        }
        return value
    }

    private func add<Value: FixedWidthInteger>(_ digit: UInt8, to value: inout Value) -> Bool {
        let (product, overflows) = value.multipliedReportingOverflow(by: 10)
        guard !overflows, let digit = Value(exactly: digit) else { return false }
        let (sum, exceeds) =
            isNegative
            ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
        value = sum
        return !exceeds
    }
}
