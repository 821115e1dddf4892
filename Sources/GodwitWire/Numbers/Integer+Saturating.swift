// Sizes, lengths and counts that users or servers supply may have any value, and plain arithmetic traps on overflow.
extension FixedWidthInteger {
    /// The sum, or the nearest number that fits.
    package func saturatingAdding(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        guard overflows else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, or the nearest number that fits.
    package func saturatingSubtracting(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        guard overflows else { return difference }
        return other < 0 ? .max : .min
    }

    /// The whole part of a number, or the nearest integer that fits. A number that is NaN counts as zero.
    ///
    /// - Parameter number: Any number, infinite ones included.
    package init(saturating number: Double) {
        guard !number.isNaN else {
            self = 0
            return
        }
        self = Self(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}
