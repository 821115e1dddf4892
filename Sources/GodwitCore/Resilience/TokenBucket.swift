/// Tokens that are taken one by one and come back with time; a value without a clock.
///
/// Times are durations since any fixed beginning, and never run backwards.
struct TokenBucket: Sendable, Hashable {
    let capacity: Double
    let perSecond: Double
    private var tokens: Double
    private var updated = Duration.zero

    /// A full bucket. Anything but a positive capacity or rate counts as 0.
    init(capacity: Double, perSecond: Double) {
        // What is infinite would make differences of it NaN.
        self.capacity = capacity > 0 ? min(capacity, Self.most) : 0
        self.perSecond = perSecond > 0 ? min(perSecond, Self.most) : 0
        tokens = self.capacity
    }

    /// Takes one token, and tells whether there was one.
    mutating func take(at now: Duration) -> Bool {
        refill(at: now)
        // Sums of fractions fall short of whole numbers by a little.
        guard tokens >= 1 - Self.tolerance else { return false }
        tokens = max(0, tokens - 1)
        return true
    }

    /// Puts tokens back, beside those that time brings.
    mutating func add(_ count: Double, at now: Duration) {
        refill(at: now)
        tokens = min(capacity, tokens + (count > 0 ? min(count, Self.most) : 0))
    }

    /// How long until one token is there; zero where one is, nil where none will ever be.
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

/// At most so many in any span of a given length: a value without a clock.
struct SlidingWindow: Sendable, Hashable {
    private let count: Int
    private let span: Duration
    /// The last times in a ring, the oldest at `next` once the ring is full.
    private var times: [Duration] = []
    private var next = 0

    /// A count of less than 1 counts as 1.
    init(count: Int, span: Duration) {
        self.count = max(1, count)
        self.span = span.bounded
    }

    /// How long until another may go; zero where it may now.
    func wait(at now: Duration) -> Duration {
        guard times.count == count else { return .zero }
        return max(.zero, times[next] + span - now)
    }

    /// Notes that one goes now.
    mutating func note(at now: Duration) {
        if times.count < count {
            times.append(now)
        } else {
            times[next] = now
            next = (next + 1) % count
        }
    }

    /// Whether nothing of the past matters any more.
    func isFresh(at now: Duration) -> Bool {
        times.allSatisfy { $0 + span <= now }
    }
}
