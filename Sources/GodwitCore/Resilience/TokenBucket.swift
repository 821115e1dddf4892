import GodwitSupport

/// Tokens that are taken one at a time and return with time. It has no clock.
///
/// Times are durations since any fixed start, and never decrease.
struct TokenBucket: Sendable, Hashable {
    let capacity: Double
    let perSecond: Double
    private var tokens: Double
    private var updated = Duration.zero

    /// A full bucket. Anything but a positive capacity or rate counts as 0.
    init(capacity: Double, perSecond: Double) {
        // The difference of two infinite numbers is NaN.
        self.capacity = capacity > 0 ? min(capacity, Self.most) : 0
        self.perSecond = perSecond > 0 ? min(perSecond, Self.most) : 0
        tokens = self.capacity
    }

    /// Takes one token. Returns `false` if there is none.
    mutating func take(at now: Duration) -> Bool {
        refill(at: now)
        // Sums of fractions may be slightly less than a whole number.
        guard tokens >= 1 - Self.tolerance else { return false }
        tokens = max(0, tokens - 1)
        return true
    }

    /// Adds tokens, in addition to those that return with time.
    mutating func add(_ count: Double, at now: Duration) {
        refill(at: now)
        tokens = min(capacity, tokens + (count > 0 ? min(count, Self.most) : 0))
    }

    /// The time until a token is available; zero if one is, `nil` if there will never be one.
    mutating func wait(at now: Duration) -> Duration? {
        refill(at: now)
        guard tokens < 1 - Self.tolerance else { return .zero }
        guard perSecond > 0, capacity >= 1 else { return nil }
        return .seconds(min((1 - tokens) / perSecond, 1e9))
    }

    /// Whether no token is missing.
    mutating func isFull(at now: Duration) -> Bool {
        refill(at: now)
        return tokens >= capacity
    }

    private mutating func refill(at now: Duration) {
        guard now > updated else { return }
        tokens = min(capacity, tokens + (now - updated) / .seconds(1) * perSecond)
        updated = now
    }

    private static let most = 1e15
    private static let tolerance = 1e-6
}

/// Allows a number of events in any time span of a given length. It has no clock.
struct SlidingWindow: Sendable, Hashable {
    private let count: Int
    private let span: Duration
    /// The last times as a ring buffer, with the oldest at `next` when it is full.
    private var times: [Duration] = []
    private var next = 0

    /// A count of less than 1 counts as 1.
    init(count: Int, span: Duration) {
        self.count = max(1, count)
        self.span = span.bounded
    }

    /// The time until the next event is allowed.
    func wait(at now: Duration) -> Duration {
        guard times.count == count else { return .zero }
        return max(.zero, times[next] + span - now)
    }

    /// Adds an event.
    mutating func add(at now: Duration) {
        if times.count < count {
            times.append(now)
        } else {
            times[next] = now
            next = (next + 1) % count
        }
    }

    /// Whether all events are older than the time span.
    func isFresh(at now: Duration) -> Bool {
        times.allSatisfy { $0 + span <= now }
    }
}
