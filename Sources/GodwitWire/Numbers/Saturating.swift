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

// Durations that users, files or servers supply may have any size, and the arithmetic of `Duration` traps on overflow.
extension Duration {
    /// A century. Longer waits are cut to it, so that sums of durations and instants cannot overflow.
    package static let century = Duration.seconds(3_200_000_000)

    /// The duration, cut to between zero and a century.
    package var bounded: Duration { min(max(self, .zero), .century) }

    /// A number of seconds as a duration, cut to between zero and a century. A number that is NaN counts as zero.
    ///
    /// - Parameter seconds: Any number.
    package static func bounded(seconds: Double) -> Duration {
        guard seconds > 0 else { return .zero }
        return .seconds(min(seconds, 3.2e9))
    }

    /// Whole milliseconds, toward zero, of the bounded duration.
    package var boundedMilliseconds: Int64 {
        let (seconds, attoseconds) = bounded.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
