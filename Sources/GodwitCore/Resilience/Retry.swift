import GodwitSupport

/// Repeats failed calls if a repetition can help and does no harm.
///
/// ```swift
/// let chain = Chain([IdempotencyKeys(), Retry()], over: transport)
/// ```
///
/// - **Which failures**: those of ``NetworkError/isRetryable``, and the statuses of ``RetryOptions/statuses``. Not a total
///   timeout, which applies to all attempts; not `.offline`, as ``Connectivity`` waits for a network; and no status from
///   the cache, which would return it again.
/// - **Which calls**: idempotent methods (RFC 9110 section 9.2.2), and others only with an `Idempotency-Key`; see
///   ``IdempotencyKeys``. After a 425 any method is sent once more, as the server has not processed the request
///   (RFC 8470 section 5.2). The body must be replayable (``HTTPBody/isReplayable``).
/// - **Pause**: ``Backoff``, or `Retry-After` if that is longer. Canceling the task ends the pause immediately with
///   `.cancelled`.
/// - **How often**: ``RetryOptions/maximumAttempts`` or ``RequestOptions/retry``, and only while the shared
///   ``RetryBudget`` lasts. What the transport itself sent again counts (``TransferMetrics/resendCount``).
///
/// After the last attempt, its response or error is returned unchanged. Only the head of a streamed response counts: a
/// later failure of its body isn't repeated. A response that isn't returned is released before the pause.
public struct Retry: ReviewingMiddleware {
    private let options: RetryOptions
    private let budget: RetryBudget?
    private let timeline: Timeline
    private let random: RandomSource

    /// Creates a middleware that sends failed calls again, within a budget.
    ///
    /// - Parameters:
    ///   - options: When and how often calls are repeated.
    ///   - budget: The limit for the repetitions of all calls together; `nil` means no limit.
    ///   - clock: The clock of the pauses.
    ///   - generator: The random number generator for the jitter of the pauses.
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

    /// Writes the call's idempotency key, if it has one.
    public func prepare(_ call: inout Call) {
        if call.request.options.idempotencyKey != nil { call.request.writeIdempotencyKey() }
    }

    /// Sends the call again if that can help and is allowed; otherwise, the outcome of the last attempt is the result.
    public func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        let sent = call.request.options.earlierSendings.saturatingAdding(outcome.sendings)
        guard let (delay, last) = repetition(after: outcome, of: call, sendings, sent) else { return .finish(outcome) }
        var again = call
        again.startAttempt(after: last)
        again.request.options.earlierSendings = sent
        return .resend(again) { [timeline] () throws(NetworkError) in try await Self.wait(delay, call, last, timeline) }
    }

    /// The pause before the next attempt, and the number of the last one, which an inner middleware may have made. `nil` if
    /// the call isn't sent again.
    ///
    /// - Parameter sent: How often the request was sent in all, by the transport too.
    private func repetition(
        after outcome: CallOutcome, of call: Call, _ sendings: Int, _ sent: Int
    ) -> (Duration, last: Int)? {
        let isTooEarly = if case .success(let response) = outcome { response.head.status == .tooEarly } else { false }
        let limit = attemptLimit(for: call.request, wasRefused: isTooEarly)
        let (asked, attempt): (Duration?, Int)
        switch outcome {
        case .success(let response):
            guard response.metrics.source == .network else { return nil }
            guard options.statuses.contains(response.head.status.code) else {
                if limit > 1 { budget?.noteSuccess() }
                return nil
            }
            asked = response.head.retryAfter
            attempt = response.metrics.attempt
        case .failure(let error):
            guard isWorthRepeating(error) else { return nil }
            asked = error.suggestedRetryDelay
            attempt = error.attempt
        }
        guard sent < limit else { return nil }
        return delay(afterFailures: sendings, asked: asked).map { ($0, attempt) }
    }

    /// The pause before the next attempt; `nil` for none. Takes from the budget.
    private func delay(afterFailures failures: Int, asked: Duration?) -> Duration? {
        guard !Task.isCancelled else { return nil }
        let own = random.draw { options.backoff.delay(afterFailure: failures, using: &$0) }
        let pause = RetryPause(own, asked: asked, longest: options.longestRetryAfter)
        guard !pause.isTooLong, budget?.takeRetry() ?? true else { return nil }
        return pause.duration
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
    ///
    /// - Parameter wasRefused: Whether the server has not processed it: then any method is sent again, once.
    private func attemptLimit(for request: HTTPRequest, wasRefused: Bool) -> Int {
        guard request.isRepeatable || wasRefused, request.body?.isReplayable ?? true else { return 1 }
        let limit =
            switch request.options.retry {
            case .never: 1
            case .attempts(let count): count
            case nil: options.maximumAttempts
            }
        return request.isRepeatable ? limit : min(limit, 2)
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
    /// Maximum attempts, including the first and those of the transport (``TransferMetrics/resendCount``); less than 1 counts
    /// as 1. ``RequestOptions/retry`` takes precedence.
    public var maximumAttempts = 3

    /// The pauses between attempts.
    public var backoff = Backoff()

    /// The statuses that lead to another attempt: 408, 425, 429, 500, 502, 503 and 504 by default.
    ///
    /// 500 is included because a load balancer often sends the next attempt to another machine, and only calls that can
    /// be sent twice are repeated. 501 and 505 won't change; 507 and 508 need an operator.
    public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// The maximum `Retry-After` to wait for; a response that asks for more is returned. One minute by default.
    public var longestRetryAfter = RetryPause.longest

    /// Creates options with default values.
    public init() {}
}

/// Whether the server's effect is the same if it receives a request twice, whatever the method.
private enum RepetitionSafety: RequestOption {
    static var defaultValue: Bool { false }
    static var affectsResponse: Bool { false }
}

extension RequestOptions {
    /// Whether a request with an unsafe method only reads, such as a query in a POST. `false` by default.
    package var onlyReads: Bool {
        @inline(__always) get { self[RepetitionSafety.self] }
        set { self[RepetitionSafety.self] = newValue }
    }
}

/// How often a request was sent by earlier attempts of its call.
private enum EarlierSendings: RequestOption {
    static var defaultValue: Int { 0 }
    static var affectsResponse: Bool { false }
}

extension RequestOptions {
    /// How often the request was sent before, by earlier attempts of ``Retry``; the transport's own limits include it.
    package var earlierSendings: Int {
        @inline(__always) get { self[EarlierSendings.self] }
        set { self[EarlierSendings.self] = newValue }
    }
}

extension CallOutcome {
    /// How often the last attempt sent the request.
    fileprivate var sendings: Int {
        switch self {
        case .success(let response): max(0, response.metrics.resendCount).saturatingAdding(1)
        case .failure(let error): error.sendings
        }
    }
}

extension HTTPRequest {
    /// Whether sending it twice does no harm (RFC 9110 section 9.2.2).
    package var isRepeatable: Bool {
        method.isIdempotent || options.onlyReads || fields.contains(.idempotencyKey)
    }
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
        @inline(__always) get { self[RetryOverride.self] }
        set { self[RetryOverride.self] = newValue }
    }
}
