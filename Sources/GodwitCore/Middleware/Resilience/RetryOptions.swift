/// When and how often ``Retry`` sends a call again.
///
/// ```swift
/// $0.retry.maximumAttempts = 5
/// $0.retry.backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(20))
/// $0.retry.statuses.remove(500)
/// ```
public struct RetryOptions: Sendable, Hashable, Nonisolated {
    /// The most attempts in all, the first included; less than 1 counts as 1. ``RequestOptions/retry`` goes before it.
    public var maximumAttempts = 3

    /// How long to wait between attempts.
    public var backoff = Backoff()

    /// The statuses that are worth another attempt: 408, 425, 429, 500, 502, 503 and 504 by default.
    ///
    /// 500 is among them because behind a load balancer it is mostly one machine's trouble, and only calls that may be
    /// sent twice are sent again. 501 and 505 will not change; 507 and 508 need a person.
    public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// The longest `Retry-After` that is waited for; a server that asks for more gets its answer passed on. A minute by
    /// default.
    public var longestRetryAfter = Duration.seconds(60)

    /// Makes the defaults.
    public init() {}
}
