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

    private var digits: ExactDigits { ExactDigits(description.utf8) }
}
