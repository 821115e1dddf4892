#if os(Linux)
package import GodwitCore
import GodwitSupport

/// A request's timeouts in nanoseconds.
package struct TimeLimits {
    let connect: Int64
    package let inactivity: Int64
    /// `nil` means no limit.
    let total: Int64?

    package init(_ timeouts: Timeouts) {
        connect = Self.nanoseconds(timeouts.connect)
        inactivity = Self.nanoseconds(timeouts.inactivity)
        total = timeouts.total.map(Self.nanoseconds)
    }

    /// A duration of a century is as good as one that overflows.
    package static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.bounded.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
#endif
