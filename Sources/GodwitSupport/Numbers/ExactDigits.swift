/// A number's value as 0.d₁d₂d₃… times a power of ten. Zero has no digits, and no sign.
package struct ExactDigits: Hashable, Comparable {
    package private(set) var isNegative: Bool
    /// The digits from the first to the last that isn't 0, in ASCII.
    package private(set) var significant: ArraySlice<UInt8>
    /// The power of ten: how many digits stand before the decimal point.
    package private(set) var point = 0

    /// Reads the text of a JSON number.
    package init(_ text: String.UTF8View) {
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        isNegative = mantissa.first == UInt8(ascii: "-")
        let unsigned = mantissa.drop { $0 == UInt8(ascii: "-") }
        let whole = unsigned.prefix { $0 != UInt8(ascii: ".") }
        let digits = Array(whole) + unsigned.dropFirst(whole.count + 1)
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        significant = digits[zeros...]
        while significant.last == UInt8(ascii: "0") { significant.removeLast() }
        guard !significant.isEmpty else {
            isNegative = false
            return
        }
        point = Self.power(text.dropFirst(mantissa.count + 1)).saturatingAdding(whole.count - zeros)
    }

    /// An exponent too large for `Int` counts as the largest.
    private static func power(_ exponent: Substring.UTF8View) -> Int {
        guard let first = exponent.first else { return 0 }
        return Int(Substring(exponent)) ?? (first == UInt8(ascii: "-") ? .min : .max)
    }

    package static func < (left: ExactDigits, right: ExactDigits) -> Bool {
        guard left.sign == right.sign else { return left.sign < right.sign }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private var sign: Int { significant.isEmpty ? 0 : isNegative ? -1 : 1 }

    private func isCloserToZero(than other: ExactDigits) -> Bool {
        point == other.point ? significant.lexicographicallyPrecedes(other.significant) : point < other.point
    }

    /// The value as an integer; `nil` if it has a fraction or doesn't fit.
    package func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        guard !significant.isEmpty else { return 0 }
        // No integer type has more than 64 digits.
        guard point >= significant.count, point <= 64 else { return nil }
        var value: Value = 0
        for place in 0..<point {
            let digit = place < significant.count ? significant[significant.startIndex + place] & 0x0F : 0
            guard let longer = appending(digit, to: value) else { return nil }
            value = longer
        }
        return value
    }

    private func appending<Value: FixedWidthInteger>(_ digit: UInt8, to value: Value) -> Value? {
        let (product, overflows) = value.multipliedReportingOverflow(by: 10)
        guard !overflows, let digit = Value(exactly: digit) else { return nil }
        let (sum, exceeds) =
            isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
        return exceeds ? nil : sum
    }

    /// Without the zeros at its end, a number is an integer times a power of ten. A divisor with a larger power leaves a
    /// remainder, as the integer doesn't end with 0.
    package func isMultiple(of divisor: ExactDigits) -> Bool? {
        guard let modulus = UInt64(String(decoding: divisor.significant, as: UTF8.self)) else { return nil }
        guard !significant.isEmpty else { return true }
        let (power, overflows) = lastPower.subtractingReportingOverflow(divisor.lastPower)
        if overflows { return nil }
        guard power >= 0 else { return false }
        let value = significant.reduce(UInt64(0)) { rest, digit in
            Self.product(rest, 10, modulus, plus: UInt64(digit - UInt8(ascii: "0")))
        }
        return Self.product(value, Self.powerOfTen(power, modulus), modulus) == 0
    }

    /// The power of ten of the last digit.
    private var lastPower: Int { point.saturatingAdding(-significant.count) }

    private static func powerOfTen(_ exponent: Int, _ modulus: UInt64) -> UInt64 {
        var (result, base, rest) = (1 % modulus, 10 % modulus, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, base, modulus) }
            base = product(base, base, modulus)
            rest >>= 1
        }
        return result
    }

    /// A product and a digit, modulo a number.
    private static func product(_ one: UInt64, _ other: UInt64, _ modulus: UInt64, plus digit: UInt64 = 0) -> UInt64 {
        let wide = (one % modulus).multipliedFullWidth(by: other % modulus)
        let rest = modulus.dividingFullWidth(wide).remainder
        let (sum, overflows) = rest.addingReportingOverflow(digit % modulus)
        return overflows || sum >= modulus ? sum &- modulus : sum
    }
}
