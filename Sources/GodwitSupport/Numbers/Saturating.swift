// Untrusted sizes, lengths and counts may have any value, and plain arithmetic traps on overflow.
extension FixedWidthInteger {
    /// The sum, clamped to the type's range.
    public func saturatingAdding(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        guard overflows else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, clamped to the type's range.
    public func saturatingSubtracting(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        guard overflows else { return difference }
        return other < 0 ? .max : .min
    }

    /// The integer part of a number, clamped to the type's range. NaN becomes zero.
    public init(saturating number: Double) {
        guard !number.isNaN else {
            self = 0
            return
        }
        self = Self(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}

// Untrusted durations may have any size, and the arithmetic of `Duration` traps on overflow.
extension Duration {
    /// The longest wait: a century. Sums of such durations and instants can't overflow.
    public static let century = Duration.seconds(3_200_000_000)

    /// The duration, clamped to zero … a century.
    public var bounded: Duration { min(max(self, .zero), .century) }

    /// A number of seconds as a duration, clamped to zero … a century. NaN becomes zero.
    public static func bounded(seconds: Double) -> Duration {
        guard seconds > 0 else { return .zero }
        return .seconds(min(seconds, 3.2e9))
    }

    /// The bounded duration in whole milliseconds, rounded toward zero.
    public var boundedMilliseconds: Int64 {
        let (seconds, attoseconds) = bounded.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
