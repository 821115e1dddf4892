import GodwitCore

/// A request's timeouts in nanoseconds.
struct TimeLimits {
    let connect: Int64
    let inactivity: Int64
    /// Nil for no limit.
    let total: Int64?

    init(_ timeouts: Timeouts) {
        connect = Self.nanoseconds(timeouts.connect)
        inactivity = Self.nanoseconds(timeouts.inactivity)
        total = timeouts.total.map(Self.nanoseconds)
    }

    /// A duration of a century is as good as one that overflows.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.bounded.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

/// Until when an exchange waits to be started.
struct StartLimits {
    /// When making a connection would have taken too long.
    let connect: LoopTime
    /// Nil for no limit.
    let total: LoopTime?

    init(_ limits: TimeLimits, at now: LoopTime) {
        connect = now + limits.connect
        total = limits.total.map { now + $0 }
    }
}
