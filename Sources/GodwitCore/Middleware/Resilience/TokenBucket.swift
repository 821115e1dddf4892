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
