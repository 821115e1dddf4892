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
}
