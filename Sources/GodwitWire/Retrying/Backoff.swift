/// Exponential backoff with full jitter: random delays that grow with each failure.
///
/// The delay after failure *n* is random between zero and `base` · `factor`ⁿ⁻¹, at most `cap`. The jitter keeps clients
/// from retrying in step.
///
/// ```swift
/// let backoff = Backoff(base: .milliseconds(250), cap: .seconds(20))
/// ```
public struct Backoff: Sendable, Hashable, Nonisolated {
    /// The maximum delay after the first failure. Half a second by default.
    public var base: Duration

    /// How much the maximum grows with each failure. 2 by default; less than 1 counts as 1.
    public var factor: Double

    /// The maximum of all delays. 30 seconds by default.
    public var cap: Duration

    /// Creates a backoff: a first delay, its growth and the maximum. Negative durations count as zero.
    ///
    /// - Parameter factor: How much the maximum grows with each failure; 2 doubles it.
    public init(base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(30)) {
        self.base = base
        self.factor = factor
        self.cap = cap
    }

    /// The maximum delay after this many failures, from zero to ``cap``.
    ///
    /// The defaults give 0.5, 1, 2, 4 … seconds.
    package func ceiling(afterFailure count: Int) -> Duration {
        let base = max(base, .zero) / .seconds(1)
        let cap = min(max(cap, .zero) / .seconds(1), Self.sane)
        guard base > 0 else { return .zero }
        return .seconds(min(base * Self.power(factor, max(count, 1) - 1), cap))
    }

    /// A random delay after this many failures: from zero to `base` · `factor`ⁿ⁻¹, at most `cap`.
    ///
    /// - Parameter generator: The random number generator. Use a seeded one for repeatable tests.
    public func delay(
        afterFailure count: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        .seconds(Double.random(in: 0...(ceiling(afterFailure: count) / .seconds(1)), using: &generator))
    }

    /// A century in seconds. Larger durations may overflow in arithmetic.
    private static let sane = 3.2e9

    /// The factor's power by repeated squaring; infinite if too large.
    private static func power(_ factor: Double, _ exponent: Int) -> Double {
        var (result, square, rest) = (1.0, factor > 1 ? factor : 1, exponent)
        while rest > 0 {
            if rest % 2 == 1 { result *= square }
            square *= square
            rest /= 2
        }
        return result
    }
}

/// How long until the next try: your own delay, or what the server asks for if that is longer, within a bound.
///
/// If a server asks for more than the bound, a retry of one call ends with its error (``isTooLong``), and a
/// reconnection waits for the bound (``duration``).
///
/// ```swift
/// var generator = SystemRandomNumberGenerator()
/// let own = Backoff().delay(afterFailure: 2, using: &generator)
/// let pause = RetryPause(own, asked: error.suggestedRetryDelay)
/// ```
public struct RetryPause: Sendable, Hashable, Nonisolated {
    /// The default bound of what a server may ask for: one minute.
    public static let longest = Duration.seconds(60)

    /// The default bound for work in the background, for which no caller waits: one hour.
    public static let longestInBackground = Duration.seconds(3600)

    /// The pause: not less than your own delay, and beyond that at most the bound.
    public let duration: Duration

    /// Whether the server asks for more than the bound.
    public let isTooLong: Bool

    /// Decides how long to wait: for your own delay, or longer if the server asks for more.
    ///
    /// - Parameters:
    ///   - own: Your own delay, such as one of a ``Backoff``. The bound doesn't apply to it.
    ///   - asked: What the server asks for, such as `Retry-After`; `nil` if it asks for nothing.
    ///   - bound: The most that a server may ask for. Less than zero counts as zero.
    public init(_ own: Duration, asked: Duration?, longest bound: Duration = longest) {
        let (asked, bound) = (asked ?? .zero, max(bound, .zero))
        duration = max(own, min(asked, bound), .zero)
        isTooLong = asked > bound
    }
}

/// When a server asks to retry (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// The maximum that is reported: a year. Some servers send more by mistake.
    package static let longest = Duration.seconds(365 * 86_400)

    /// The delay of a `Retry-After` value, in seconds or as a date. Zero if it is in the past, `nil` if it can't be
    /// parsed.
    package static func delay(_ value: String, now: Date) -> Duration? {
        let text = value.trimmingBlanks
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        if !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) {
            guard digits.count == text.count else { return .zero }
            return min(Int64(digits).map { Duration.seconds($0) } ?? longest, longest)
        }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        let seconds = date.timeIntervalSince(now)
        guard seconds > 0 else { return .zero }
        return min(.seconds(min(seconds, 1e9)), longest)
    }
}
