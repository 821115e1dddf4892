/// Sends a call again where that may help and can do no harm.
///
/// ```swift
/// let chain = Chain([IdempotencyKeys(), Retry()], over: transport)
/// ```
///
/// - **Which failures**: those ``NetworkError/isRetryable`` names, and the statuses of ``RetryOptions/statuses``. Not a
///   total time-out, which the caller set for all of it; not `.offline`, as ``Connectivity`` is what waits for a network;
///   and no status that the cache gave, as it would give it again.
/// - **Which calls**: idempotent methods (RFC 9110 section 9.2.2), and others only with an `Idempotency-Key`; see
///   ``IdempotencyKeys``. Content must be replayable (``HTTPBody/isReplayable``).
/// - **How long**: ``Backoff``, or `Retry-After` where that is longer. Cancelling the task ends the wait at once with
///   `.cancelled`.
/// - **How often**: ``RetryOptions/maximumAttempts`` or ``RequestOptions/retry``, and only while the shared
///   ``RetryBudget`` lasts.
///
/// Where no further attempt is made, the last answer or error is passed on as it is. A streamed response is judged by
/// its head: what breaks later is not repeated. One that is not returned is let go of before the wait.
public struct Retry: ReviewingMiddleware {
    private let options: RetryOptions
    private let budget: RetryBudget?
    private let timeline: Timeline
    private let random: RandomSource

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - options: When and how often.
    ///   - budget: What all calls together may spend; nil for no bound.
    ///   - clock: What waits are measured by.
    ///   - generator: Where chance comes from.
    public init(
        _ options: RetryOptions = RetryOptions(), budget: RetryBudget? = RetryBudget(),
        clock: any Clock<Duration> = ContinuousClock(),
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.options = options
        self.budget = budget
        timeline = Timeline(clock)
        random = RandomSource(generator)
    }

    public static let isSynchronous = true

    /// Writes the call's idempotency key, if it has one.
    public func prepare(_ call: inout Call) {
        call.request.writeIdempotencyKey()
    }

    /// Sends the call again if that can help and is allowed; otherwise, the outcome of the last attempt is the result.
    public func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        guard let (delay, last) = repetition(after: outcome, of: call, sendings) else { return .finish(outcome) }
        var again = call
        again.startAttempt(after: last)
        return .resend(again) { [timeline] () throws(NetworkError) in try await Self.wait(delay, call, last, timeline) }
    }

    /// The pause before the next attempt, and the number of the last one, which an inner middleware may have made. `nil` if
    /// the call isn't sent again.
    private func repetition(after outcome: CallOutcome, of call: Call, _ sendings: Int) -> (Duration, last: Int)? {
        let limit = attemptLimit(for: call.request)
        let (asked, attempt): (Duration?, Int)
        switch outcome {
        case .success(let response):
            guard response.metrics.source == .network else { return nil }
            guard options.statuses.contains(response.head.status.code) else {
                if limit > 1 { budget?.noteSuccess() }
                return nil
            }
            (asked, attempt) = (response.head.retryAfter, response.metrics.attempt)
        case .failure(let error):
            guard isWorthRepeating(error) else { return nil }
            (asked, attempt) = (error.suggestedRetryDelay, error.attempt)
        }
        return delay(afterFailures: sendings, limit: limit, asked: asked).map { ($0, attempt) }
    }

    /// How long to wait for the next attempt; nil where there is to be none. Takes from the budget.
    private func delay(afterFailures failures: Int, limit: Int, asked: Duration?) -> Duration? {
        let asked = asked ?? .zero
        guard failures < limit, asked <= options.longestRetryAfter, !Task.isCancelled else { return nil }
        guard budget?.takeRetry() ?? true else { return nil }
        return max(asked, random.draw { options.backoff.delay(afterFailure: failures, using: &$0) })
    }

    private static func wait(
        _ delay: Duration, _ call: Call, _ last: Int, _ timeline: Timeline
    ) async throws(NetworkError) {
        do throws(CancellationError) {
            try await timeline.sleep(for: delay)
        } catch {
            var cancelled = NetworkError.cancelled(call)
            cancelled.attempt = max(call.attempt, last)
            throw cancelled
        }
    }

    /// How often the request can be sent in total.
    private func attemptLimit(for request: HTTPRequest) -> Int {
        guard request.method.isIdempotent || request.fields.contains(.idempotencyKey),
            request.body?.isReplayable ?? true
        else { return 1 }
        return switch request.options.retry {
        case .never: 1
        case .attempts(let count): count
        case nil: options.maximumAttempts
        }
    }

    private func isWorthRepeating(_ error: NetworkError) -> Bool {
        switch error.kind {
        case .client(let status), .server(let status): options.statuses.contains(status)
        default: error.isWorthRepeating
        }
    }
}

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

/// A retry rule for one request.
///
/// ```swift
/// try await api.send(.article(id: 42).retry(.never))
/// ```
public enum RetryOverride: Sendable, Hashable {
    /// One attempt only.
    case never
    /// Up to this many attempts in total; 1 or more.
    case attempts(Int)
}

extension RetryOverride: RequestOption {
    public static var defaultValue: RetryOverride? { nil }
}

extension RequestOptions {
    /// Whether, and how often, a failed attempt is repeated; `nil` (the default) leaves it to the client.
    public var retry: RetryOverride? {
        get { self[RetryOverride.self] }
        set { self[RetryOverride.self] = newValue }
    }
}
