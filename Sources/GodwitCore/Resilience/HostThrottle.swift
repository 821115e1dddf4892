import Synchronization

/// Decides when the next call to one origin may be sent. It has no clock.
struct HostThrottle: Sendable {
    private enum Meter: Sendable {
        case bucket(TokenBucket)
        case window(SlidingWindow)
        case none
    }

    private var meter: Meter
    private var blockedUntil = Duration.zero
    /// The rest of the server's allowance, until `allowanceEnd`.
    private var allowed = 0
    private var allowanceEnd = Duration.zero
    private var inFlight = 0
    /// How many calls wait, or are about to.
    private var queued = 0

    /// Limits how long a server's `Retry-After` or allowance is followed.
    private static let maximumWait = RetryPause.longestInBackground

    init(_ rule: RateRule) {
        meter =
            switch rule {
            case .tokenBucket(let rate, let burst):
                .bucket(TokenBucket(capacity: Double(max(1, burst)), perSecond: rate))
            case .slidingWindow(let count, let span): .window(SlidingWindow(count: count, span: span))
            case .learned, .custom: .none
            }
    }

    /// Admits a call, unless it is too early or others wait; then queues it and returns `false`.
    mutating func admitOrQueue(at now: Duration) -> Bool {
        if queued == 0, admit(at: now) == nil { return true }
        queued += 1
        return false
    }

    mutating func leaveQueue() {
        queued -= 1
    }

    /// Admits a call and returns `nil`, or returns how long to wait before the next try.
    mutating func admit(at now: Duration) -> Duration? {
        let isExhausted = now < allowanceEnd && allowed == 0
        let wait = max(blockedUntil - now, isExhausted ? allowanceEnd - now : .zero, meterWait(at: now))
        guard wait <= .zero else { return wait }
        switch meter {
        case .bucket(var bucket):
            guard bucket.take(at: now) else { return Self.maximumWait }
            meter = .bucket(bucket)
        case .window(var window):
            window.add(at: now)
            meter = .window(window)
        case .none: break
        }
        allowed = max(0, allowed - 1)
        inFlight += 1
        return nil
    }

    /// Ends a call that was admitted.
    mutating func end() {
        inFlight = max(0, inFlight - 1)
    }

    /// Admits nothing for a while.
    mutating func block(for delay: Duration, at now: Duration) {
        blockedUntil = max(blockedUntil, now + min(delay, Self.maximumWait))
    }

    /// Applies a server's allowance, less the calls in flight, which it may not include yet.
    mutating func apply(_ allowance: ServerAllowance, at now: Duration) {
        allowed = max(0, allowance.remaining - inFlight)
        allowanceEnd = now + min(allowance.reset, Self.maximumWait)
    }

    /// Whether it admits the same calls as a new one.
    func isFresh(at now: Duration) -> Bool {
        guard inFlight == 0, queued == 0, blockedUntil <= now, allowanceEnd <= now else { return false }
        return switch meter {
        case .bucket(var bucket): bucket.isFull(at: now)
        case .window(let window): window.isFresh(at: now)
        case .none: true
        }
    }

    private func meterWait(at now: Duration) -> Duration {
        switch meter {
        case .bucket(var bucket): bucket.wait(at: now) ?? Self.maximumWait
        case .window(let window): window.wait(at: now)
        case .none: .zero
        }
    }
}

/// The throttles of all origins that were called recently.
final class HostThrottles: Sendable {
    private let throttles = Mutex<[Origin: HostThrottle]>([:])

    /// With this many, those in their initial state are removed before another is added.
    private static let cleanupThreshold = 256

    func change<Value: Sendable>(
        _ origin: Origin, _ rule: RateRule, at now: Duration, _ body: (inout HostThrottle) -> Value
    ) -> Value {
        throttles.withLock { throttles in
            if throttles.count >= Self.cleanupThreshold, throttles[origin] == nil {
                throttles = throttles.filter { !$0.value.isFresh(at: now) }
            }
            return body(&throttles[origin, default: HostThrottle(rule)])
        }
    }
}

/// How many calls may be sent to one origin in a given time.
///
/// ```swift
/// $0.rateLimit = .tokenBucket(perSecond: 10, burst: 20)
/// $0.rateLimit = .slidingWindow(count: 100, per: .seconds(60))
/// ```
public enum RateRule: Sendable {
    /// `burst` calls immediately, then `perSecond` calls each second. A burst of less than 1 counts as 1.
    case tokenBucket(perSecond: Double, burst: Int)

    /// At most `count` calls in any time span of this length.
    case slidingWindow(count: Int, per: Duration)

    /// As many as the server's responses allow.
    case learned

    /// As a limiter of your own decides, for example one that several processes share.
    case custom(any RateLimiter)
}
