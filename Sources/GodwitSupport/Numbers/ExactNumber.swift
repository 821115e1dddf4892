/// A JSON number with all its digits. Compared by value: `1`, `1.0` and `10e-1` are equal.
public struct ExactNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number as the document spells it.
    public let description: String

    /// - Parameter source: A number as JSON spells it; the caller has checked it.
    public init(source: String) {
        description = source
    }

    public init(_ value: some BinaryInteger) {
        description = String(value)
    }

    /// `nil` for a number that isn't finite, which JSON can't have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        description = String(value)
    }

    /// Whether it is spelled without fraction and exponent.
    public var isInteger: Bool { !description.utf8.contains { ".eE".utf8.contains($0) } }

    /// The nearest double, which is infinite if the number is too large.
    public var double: Double { Double(description) ?? 0 }

    /// The number spelled with a fraction or an exponent.
    public var fractional: ExactNumber { isInteger ? ExactNumber(source: "\(description).0") : self }

    /// The number without its fraction, spelled as an integer; `nil` if it has more than 64 digits.
    public var truncated: ExactNumber? {
        let digits = digits
        guard digits.point <= 64 else { return nil }
        let whole = digits.significant.prefix(max(digits.point, 0))
        let zeros = repeatElement(UInt8(ascii: "0"), count: max(digits.point, 0) - whole.count)
        let text = String(decoding: whole + zeros, as: UTF8.self)
        return ExactNumber(source: text.isEmpty ? "0" : digits.isNegative ? "-\(text)" : text)
    }

    /// Whether dividing by another number leaves no remainder: 0.3 is a multiple of 0.1, which doubles deny.
    ///
    /// - Returns: `nil` if the divisor is zero, or has more digits than `UInt64` holds.
    public func isMultiple(of divisor: ExactNumber) -> Bool? { digits.isMultiple(of: divisor.digits) }

    public static func == (left: ExactNumber, right: ExactNumber) -> Bool { left.digits == right.digits }

    public static func < (left: ExactNumber, right: ExactNumber) -> Bool { left.digits < right.digits }

    public func hash(into hasher: inout Hasher) { hasher.combine(digits) }

    private var digits: Digits { Digits(description.utf8) }
}

/// A number's value as 0.d₁d₂d₃… times a power of ten. Zero has no digits, and no sign.
private struct Digits: Hashable, Comparable {
    private(set) var isNegative: Bool
    /// The digits from the first to the last that isn't 0, in ASCII.
    private(set) var significant: ArraySlice<UInt8>
    /// The power of ten: how many digits stand before the decimal point.
    private(set) var point = 0

    /// Reads the text of a JSON number.
    init(_ text: String.UTF8View) {
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

    static func < (left: Digits, right: Digits) -> Bool {
        guard left.sign == right.sign else { return left.sign < right.sign }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private var sign: Int { significant.isEmpty ? 0 : isNegative ? -1 : 1 }

    private func isCloserToZero(than other: Digits) -> Bool {
        point == other.point ? significant.lexicographicallyPrecedes(other.significant) : point < other.point
    }

    /// Without the zeros at its end, a number is an integer times a power of ten. A divisor with a larger power leaves a
    /// remainder, as the integer doesn't end with 0.
    func isMultiple(of divisor: Digits) -> Bool? {
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
