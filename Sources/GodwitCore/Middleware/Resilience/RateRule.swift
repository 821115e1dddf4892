/// How many calls may go to one origin in which time.
///
/// ```swift
/// $0.rateLimit = .tokenBucket(perSecond: 10, burst: 20)
/// $0.rateLimit = .slidingWindow(count: 100, per: .seconds(60))
/// ```
public enum RateRule: Sendable, Hashable {
    /// `burst` calls at once, then `perSecond` in each second; a burst of less than 1 counts as 1.
    case tokenBucket(perSecond: Double, burst: Int)

    /// At most `count` calls in any span of that length, to the instant.
    case slidingWindow(count: Int, per: Duration)

    /// As many as the server lets through, by what its answers say.
    case learned
}
