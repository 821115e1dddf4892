/// How long to wait before trying again: longer each time, and by chance, so that not all clients come back at once.
///
/// The wait after failure *n* is drawn evenly from zero to `base` · `factor`ⁿ⁻¹, never above `cap` ("full jitter").
///
/// ```swift
/// let backoff = Backoff(base: .milliseconds(250), cap: .seconds(20))
/// ```
public struct Backoff: Sendable, Hashable, Nonisolated {
    /// The longest wait after the first failure.
    ///
    /// Half a second by default.
    public var base: Duration

    /// How much longer each next wait may be; less than 1 counts as 1.
    ///
    /// Two by default.
    public var factor: Double

    /// The longest wait of all.
    ///
    /// Thirty seconds by default.
    public var cap: Duration

    /// Makes a rule; negative durations count as zero.
    ///
    /// - Parameters:
    ///   - base: The most that is waited after the first failure.
    ///   - factor: How much longer it gets with each further failure; 2 doubles it.
    ///   - cap: The most that is waited at all.
    public init(base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(30)) {
        self.base = base
        self.factor = factor
        self.cap = cap
    }

    /// The longest wait after this many failures, counted from 1.
    ///
    /// A count below 1 counts as 1. The result is from zero to ``cap``; the defaults give 0.5, 1, 2, 4 … seconds.
    ///
    /// - Parameter count: How many failures there were, from 1.
    public func ceiling(afterFailure count: Int) -> Duration {
        let base = max(base, .zero) / .seconds(1)
        let cap = min(max(cap, .zero) / .seconds(1), Self.sane)
        guard base > 0 else { return .zero }
        return .seconds(min(base * Self.power(factor, max(count, 1) - 1), cap))
    }

    /// A wait after this many failures, counted from 1.
    ///
    /// Drawn evenly from zero to ``ceiling(afterFailure:)``.
    ///
    /// - Parameters:
    ///   - count: How many attempts have failed; below 1 counts as 1.
    ///   - generator: Where chance comes from; give a seeded one to make tests repeatable.
    public func delay(
        afterFailure count: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        .seconds(Double.random(in: 0...(ceiling(afterFailure: count) / .seconds(1)), using: &generator))
    }

    /// A century in seconds: beyond it, arithmetic on durations may overflow.
    private static let sane = 3.2e9

    /// The factor to a power by repeated squaring, infinite where it is too large.
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

/// When a server asks to come back (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// The longest wait that is reported: a year. Servers have been seen to send more, none meant it.
    package static let longest = Duration.seconds(365 * 86_400)

    /// The wait that a `Retry-After` value asks for, in seconds or as a date; zero where that is past, nil where it
    /// cannot be read.
    package static func delay(_ value: String, now: Date) -> Duration? {
        let text = value.trimmingBlanks
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        if !digits.isEmpty, digits.utf8.allSatisfy(IPAddress.isDigit) {
            guard digits.count == text.count else { return .zero }
            return min(Int64(digits).map { Duration.seconds($0) } ?? longest, longest)
        }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        let seconds = date.timeIntervalSince(now)
        guard seconds > 0 else { return .zero }
        return min(.seconds(min(seconds, 1e9)), longest)
    }
}
