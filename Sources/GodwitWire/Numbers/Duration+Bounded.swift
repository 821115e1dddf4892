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
