import Synchronization

/// How many retries all calls of a client may spend together, so that a server in trouble is not buried under them.
///
/// A retry takes a token; tokens come back with time, and a fraction of one with each call that succeeds. While there is
/// none, failures reach their callers at once. Give one budget to all clients of a service.
///
/// ```swift
/// Retry(options, budget: RetryBudget(capacity: 50, perSecond: 2))
/// ```
public final class RetryBudget: Sendable {
    private let bucket: Mutex<TokenBucket>
    /// Whether no token is missing: then a success brings none, and waits for no lock.
    private let isFull = Atomic(true)
    private let timeline: Timeline
    private let perSuccess: Double

    /// Makes a full budget.
    ///
    /// - Parameters:
    ///   - capacity: The most retries in one burst.
    ///   - perSecond: How many come back each second.
    ///   - perSuccess: How many come back with each call that succeeds; 0.1 allows one retry for ten calls.
    ///   - clock: What tells the time.
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
