#if os(Linux)
import GodwitCore
import GodwitSupport

/// How many calls all processes of a fleet together send to one origin.
///
/// ```swift
/// $0.rateLimit = .shared(.perSecond(50), in: fleet)
/// $0.rateLimit = .shared(.per(.seconds(60), 1000, burst: 20), in: fleet)
/// ```
public struct SharedRate: Sendable, Hashable {
    /// The time between two calls in the long run; zero if only the server limits.
    let interval: Duration
    /// How many calls may be sent together after a pause.
    let burst: Int

    /// At most this many calls in each second, evenly distributed.
    ///
    /// - Parameters:
    ///   - count: The number of calls in a second. Anything that isn't positive counts as one call an hour.
    ///   - burst: How many calls may be sent together after a pause, in addition to the rate. 1 by default, which allows no
    ///     more than `count` in any second.
    public static func perSecond(_ count: Double, burst: Int = 1) -> SharedRate {
        .per(.seconds(1), count, burst: burst)
    }

    /// At most this many calls in each time span, evenly distributed.
    ///
    /// - Parameters:
    ///   - span: The time span.
    ///   - count: The number of calls in it.
    ///   - burst: How many calls may be sent together after a pause, in addition to the rate. 1 by default.
    public static func per(_ span: Duration, _ count: Double, burst: Int = 1) -> SharedRate {
        let seconds = span.bounded / .seconds(1) / count
        let isValid = count > 0 && seconds.isFinite && seconds >= 0
        return SharedRate(
            interval: .seconds(isValid ? min(max(seconds, 1e-6), 3600) : 3600), burst: min(max(1, burst), 1_000_000))
    }

    /// As many as the server's responses allow: what one process learns holds for all.
    public static let learned = SharedRate(interval: .zero, burst: 1)

    /// The share of one of several processes.
    func share(of members: Int) -> SharedRate { divided(by: Double(max(1, members))) }

    /// What is left for some processes if others use their share without Redis.
    func rest(for members: Int, without absent: Int) -> SharedRate {
        absent > 0 ? divided(by: Double(members + absent) / Double(max(1, members))) : self
    }

    private func divided(by divisor: Double) -> SharedRate {
        SharedRate(interval: interval * divisor, burst: max(1, Int(Double(burst) / divisor)))
    }
}

extension RateRule {
    /// A limit for all processes of a fleet together.
    ///
    /// Each origin has its own. With any rate, a 429 or 503 with `Retry-After` stops the calls of all processes to that
    /// origin, and `RateLimit` and similar fields limit them, as with a limit of one process.
    ///
    /// While Redis can't be used, each process sends its share. `.rateLimited` errors then have a ``FleetUnavailable``
    /// as their underlying error.
    ///
    /// - Parameters:
    ///   - rate: The limit. Processes that share it must agree.
    ///   - fleet: The processes.
    ///   - name: Distinguishes several limits for the same origin. Empty by default.
    public static func shared(_ rate: SharedRate, in fleet: Fleet, name: String = "") -> RateRule {
        .custom(SharedRateLimiter(rate, fleet, name: name))
    }
}
#endif
