package import GodwitCore
import GodwitSupport

/// The time limits of one exchange. A pure value: events and times are passed in.
///
/// URLSession doesn't report when a connection is established. Until the first sign of it, a sent or received byte, the
/// limits for connecting and inactivity are added. So nothing times out too early, but a connection that is never
/// established times out later than `Timeouts.connect`.
package struct Deadlines: Sendable {
    package typealias Instant = SuspendingClock.Instant

    let start: Instant
    private let connect: Duration
    private let inactivity: Duration
    private let end: Instant?
    private var last: Instant
    private var isConnected = false
    private var isHeld = false

    package init(_ timeouts: Timeouts, at now: Instant) {
        start = now
        last = now
        connect = Self.bounded(timeouts.connect)
        inactivity = Self.bounded(timeouts.inactivity)
        end = timeouts.total.map { now.advanced(by: Self.bounded($0)) }
    }

    /// Data was transferred.
    package mutating func moved(at now: Instant) {
        isConnected = true
        last = now
    }

    /// The reader has to catch up, and may take any time.
    package mutating func hold() {
        isHeld = true
    }

    package mutating func release(at now: Instant) {
        isHeld = false
        moved(at: now)
    }

    /// When to check next.
    package func next(after now: Instant) -> Instant {
        let silence = isHeld ? now.advanced(by: inactivity) : quietUntil
        return end.map { min($0, silence) } ?? silence
    }

    /// The exceeded limit; `nil` if none was.
    package func expired(at now: Instant) -> NetworkError.Stage? {
        if let end, end <= now { return .total }
        return !isHeld && quietUntil <= now ? .inactivity : nil
    }

    private var quietUntil: Instant {
        last.advanced(by: isConnected ? inactivity : connect + inactivity)
    }

    /// A century is as good as a duration that overflows.
    private static func bounded(_ duration: Duration) -> Duration {
        min(max(duration, .zero), .seconds(1 << 32))
    }
}
