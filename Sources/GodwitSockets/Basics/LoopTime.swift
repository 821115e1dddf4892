#if os(Linux)
import GodwitLibc

/// A point on the monotonic clock, in nanoseconds.
///
/// An `Int64`, because a `Duration` has 128 bits, and times are compared for every line that arrives.
package struct LoopTime: Comparable {
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Before every other time.
    package static let zero = LoopTime(nanoseconds: 0)

    package static func current() -> LoopTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return LoopTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time so many nanoseconds later.
    package static func + (time: LoopTime, nanoseconds: Int64) -> LoopTime {
        LoopTime(nanoseconds: time.nanoseconds + nanoseconds)
    }

    /// The duration from one time to another.
    package static func - (time: LoopTime, other: LoopTime) -> Duration {
        .nanoseconds(time.nanoseconds - other.nanoseconds)
    }

    /// The nanoseconds from another time to this one.
    package func nanoseconds(after other: LoopTime) -> Int64 {
        nanoseconds - other.nanoseconds
    }

    package static func < (left: LoopTime, right: LoopTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The earlier of two times; nil means never.
    package static func earlier(_ time: LoopTime?, _ other: LoopTime?) -> LoopTime? {
        guard let time, let other else { return time ?? other }
        return min(time, other)
    }

    /// The milliseconds to sleep until this time, rounded up; 0 if it is past.
    package func milliseconds(after now: LoopTime) -> Int32 {
        Int32(clamping: max(0, (nanoseconds - now.nanoseconds + 999_999) / 1_000_000))
    }
}
#endif
