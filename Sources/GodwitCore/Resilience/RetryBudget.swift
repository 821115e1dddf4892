import GodwitSupport
import Synchronization

/// Limits the retries of all calls together, so that they don't overload a failing server.
///
/// A retry takes a token. Tokens return with time, and a fraction of one with each successful call. If there are none,
/// calls fail without retries. Share one budget among all clients of a service.
///
/// ```swift
/// Retry(options, budget: RetryBudget(capacity: 50, perSecond: 2))
/// ```
public final class RetryBudget: Sendable {
    private let bucket: Mutex<TokenBucket>
    /// Whether no token is missing, so that a success doesn't need the lock.
    private let isFull = Atomic(true)
    private let timeline: Timeline
    private let perSuccess: Double

    /// Creates a full budget.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of retries in a burst. 20 by default.
    ///   - perSecond: How many tokens return each second. 1 by default.
    ///   - perSuccess: How many tokens return with each successful call. 0.1 by default: one retry for ten calls.
    ///   - clock: Measures the time.
    public init(
        capacity: Double = 20, perSecond: Double = 1, perSuccess: Double = 0.1,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        bucket = Mutex(TokenBucket(capacity: capacity, perSecond: perSecond))
        timeline = Timeline(clock)
        self.perSuccess = perSuccess
    }

    func takeRetry() -> Bool {
        let now = timeline.now
        return bucket.withLock { bucket in
            isFull.store(false, ordering: .relaxed)
            return bucket.take(at: now)
        }
    }

    func noteSuccess() {
        guard !isFull.load(ordering: .relaxed) else { return }
        let now = timeline.now
        bucket.withLock { bucket in
            bucket.add(perSuccess, at: now)
            isFull.store(bucket.isFull(at: now), ordering: .relaxed)
        }
    }
}
