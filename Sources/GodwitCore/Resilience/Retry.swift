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
public struct Retry: Middleware {
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

    /// Sends the call, and again as often as that may help and is allowed.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// Throws the error of the last attempt.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var call = call
        if let key = call.request.options.idempotencyKey, !call.request.fields.contains(.idempotencyKey) {
            call.request.fields.append(key, for: .idempotencyKey)
        }
        let limit = attemptLimit(for: call.request)
        var failures = 0
        while true {
            // A response that is not returned lives no longer than this switch's subject: it ends before the wait.
            switch try await attempt(call, afterFailures: failures, limit: limit, next: next) {
            case .done(let response):
                return response
            case .again(let delay, let last):
                try await wait(delay, call, last)
                failures += 1
                call.startAttempt(after: last)
            }
        }
    }

    private enum Outcome {
        case done(HTTPResponse)
        /// `attempt` is the number of the last one, which a middleware further in may have made.
        case again(after: Duration, attempt: Int)
    }

    private func attempt(
        _ call: Call, afterFailures failures: Int, limit: Int, next: Next
    ) async throws(NetworkError) -> Outcome {
        do throws(NetworkError) {
            return outcome(of: try await next(call), afterFailures: failures, limit: limit)
        } catch {
            return try outcome(of: error, afterFailures: failures, limit: limit)
        }
    }

    // What is decided without waiting stays out of the frame that waits.

    @inline(never)
    private func outcome(of response: HTTPResponse, afterFailures failures: Int, limit: Int) -> Outcome {
        guard response.metrics.source == .network else { return .done(response) }
        guard options.statuses.contains(response.head.status.code) else {
            if limit > 1 { budget?.noteSuccess() }
            return .done(response)
        }
        let asked = response.head.retryAfter
        return delay(afterFailures: failures + 1, limit: limit, asked: asked)
            .map { .again(after: $0, attempt: response.metrics.attempt) } ?? .done(response)
    }

    @inline(never)
    private func outcome(
        of error: NetworkError, afterFailures failures: Int, limit: Int
    ) throws(NetworkError) -> Outcome {
        guard isWorthRepeating(error),
            let delay = delay(afterFailures: failures + 1, limit: limit, asked: error.suggestedRetryDelay)
        else { throw error }
        return .again(after: delay, attempt: error.attempt)
    }

    /// How long to wait for the next attempt; nil where there is to be none. Takes from the budget.
    private func delay(afterFailures failures: Int, limit: Int, asked: Duration?) -> Duration? {
        let asked = asked ?? .zero
        guard failures < limit, asked <= options.longestRetryAfter, !Task.isCancelled else { return nil }
        guard budget?.takeRetry() ?? true else { return nil }
        return max(asked, random.draw { options.backoff.delay(afterFailure: failures, using: &$0) })
    }

    @inline(never)
    private func wait(_ delay: Duration, _ call: Call, _ last: Int) async throws(NetworkError) {
        do throws(CancellationError) {
            try await timeline.sleep(for: delay)
        } catch {
            var cancelled = NetworkError.cancelled(call)
            cancelled.attempt = max(call.attempt, last)
            throw cancelled
        }
    }

    /// How often the request may be sent in all.
    @inline(never)
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
