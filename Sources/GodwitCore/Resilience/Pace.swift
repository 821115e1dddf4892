import Synchronization

/// When the next call to one origin may go: a value without a clock.
struct Pace: Sendable {
    private enum Meter: Sendable {
        case bucket(TokenBucket)
        case window(SlidingWindow)
        case none
    }

    private var meter: Meter
    private var blockedUntil = Duration.zero
    private var left = 0
    /// Until when `left` counts.
    private var leftUntil = Duration.zero
    private var underway = 0
    /// How many calls wait, or are about to.
    private var queued = 0

    /// What a server says is believed for an hour at most: then it is asked again.
    private static let longestBelief = Duration.seconds(3600)

    init(_ rule: RateRule) {
        meter =
            switch rule {
            case .tokenBucket(let rate, let burst):
                .bucket(TokenBucket(capacity: Double(max(1, burst)), perSecond: rate))
            case .slidingWindow(let count, let span): .window(SlidingWindow(count: count, span: span))
            case .learned: .none
            }
    }

    /// Lets a call go at once, unless it is too early or others wait already: then it is one of them, and false comes
    /// back.
    mutating func admitOrQueue(at now: Duration) -> Bool {
        if queued == 0, admit(at: now) == nil { return true }
        queued += 1
        return false
    }

    /// Notes that a call waits no longer.
    mutating func leaveQueue() {
        queued -= 1
    }

    /// Lets a call go and returns nil, or returns how long to wait before asking again.
    mutating func admit(at now: Duration) -> Duration? {
        let wait = max(blockedUntil - now, now < leftUntil && left == 0 ? leftUntil - now : .zero, meterWait(at: now))
        guard wait <= .zero else { return wait }
        switch meter {
        case .bucket(var bucket):
            guard bucket.take(at: now) else { return Self.longestBelief }
            meter = .bucket(bucket)
        case .window(var window):
            window.note(at: now)
            meter = .window(window)
        case .none: break
        }
        left = max(0, left - 1)
        underway += 1
        return nil
    }

    /// Notes that a call which was let go is over.
    mutating func end() {
        underway = max(0, underway - 1)
    }

    /// Lets nothing go for a while.
    mutating func block(for delay: Duration, at now: Duration) {
        blockedUntil = max(blockedUntil, now + min(delay, Self.longestBelief))
    }

    /// Takes over what a server says is left. Calls under way may not be counted in it yet, and are taken off.
    mutating func learn(_ allowance: ServerAllowance, at now: Duration) {
        left = max(0, allowance.remaining - underway)
        leftUntil = now + min(allowance.reset, Self.longestBelief)
    }

    /// Whether it would let go what a new one does.
    func isFresh(at now: Duration) -> Bool {
        guard underway == 0, queued == 0, blockedUntil <= now, leftUntil <= now else { return false }
        return switch meter {
        case .bucket(var bucket): bucket.isFull(at: now)
        case .window(let window): window.isFresh(at: now)
        case .none: true
        }
    }

    private func meterWait(at now: Duration) -> Duration {
        switch meter {
        case .bucket(var bucket): bucket.wait(at: now) ?? Self.longestBelief
        case .window(let window): window.wait(at: now)
        case .none: .zero
        }
    }
}

/// The paces of all origins that were called of late.
final class PaceTable: Sendable {
    private let paces = Mutex<[Origin: Pace]>([:])

    /// From this many on, paces that have nothing to remember are dropped before another is added.
    private static let crowded = 256

    func change<Value: Sendable>(
        _ origin: Origin, _ rule: RateRule, at now: Duration, _ body: (inout Pace) -> Value
    ) -> Value {
        paces.withLock { paces in
            if paces.count >= Self.crowded, paces[origin] == nil { paces = paces.filter { !$0.value.isFresh(at: now) } }
            return body(&paces[origin, default: Pace(rule)])
        }
    }
}

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
