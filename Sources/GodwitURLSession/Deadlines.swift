package import GodwitCore

/// When one exchange has taken too long. A value: it is told what happens and when, and looks at no clock.
///
/// URLSession does not say when a connection stands. Until the first sign of it, a sent or received byte, the time for
/// connecting and the time without a byte are one: so nothing ends too early, but a connection that never comes about
/// ends later than `Timeouts.connect` says.
package struct Deadlines: Sendable {
    package typealias Instant = SuspendingClock.Instant

    let begin: Instant
    private let connect: Duration
    private let inactivity: Duration
    private let end: Instant?
    private var last: Instant
    private var isConnected = false
    private var isHeld = false

    package init(_ timeouts: Timeouts, at now: Instant) {
        begin = now
        last = now
        connect = Self.bounded(timeouts.connect)
        inactivity = Self.bounded(timeouts.inactivity)
        end = timeouts.total.map { now.advanced(by: Self.bounded($0)) }
    }

    /// A byte moved.
    package mutating func moved(at now: Instant) {
        isConnected = true
        last = now
    }

    /// The reader has to catch up first, and may take its time.
    package mutating func hold() {
        isHeld = true
    }

    package mutating func release(at now: Instant) {
        isHeld = false
        moved(at: now)
    }

    /// When to look next.
    package func next(after now: Instant) -> Instant {
        let silence = isHeld ? now.advanced(by: inactivity) : quietUntil
        return end.map { min($0, silence) } ?? silence
    }

    /// What took too long; nil where nothing did.
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
