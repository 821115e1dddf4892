import GodwitSupport
import Synchronization

/// Sends calls to each origin no faster than a rule and the server allow.
///
/// ```swift
/// let chain = Chain([RateLimit(.tokenBucket(perSecond: 10, burst: 20))], over: transport)
/// ```
///
/// Calls that are too early wait in FIFO order. With any rule, a 429 or 503 with `Retry-After` stops the calls to that
/// origin for that time, as `Backoff` does with any status, and the fields `RateLimit`, `RateLimit-Remaining` and
/// `X-RateLimit-Remaining` limit the calls until their reset. A server's limits are followed for at most one hour. Part of an allowance may remain unused,
/// because calls in flight can be counted twice.
///
/// A waiting call throws `.cancelled` if its task is canceled, and `.rateLimited` if it would have to wait longer than
/// `longestWait`.
public struct RateLimit: AdmittingMiddleware {
    private let rule: RateRule
    private let longestWait: Duration
    private let timeline: Timeline
    /// Lets one call per origin wait for its time; the others wait for the permit.
    private let permits = AsyncSemaphore(total: nil, perHost: 1)
    private let throttles = HostThrottles()
    /// The calls that hold the permit until their time, or that wait for a custom limiter.
    private let admissions = WaitingCount()

    /// The number of calls that wait: for their time, for the calls before them, or for a custom limiter.
    package var waitingCount: Int { permits.waitingCount + admissions.value }

    /// Whether no call waits.
    package var isIdle: Bool { permits.isIdle }

    /// Creates a middleware that applies a rule to each origin.
    ///
    /// - Parameters:
    ///   - rule: The limit for each origin. `.learned` by default.
    ///   - longestWait: How long a call may wait. 60 s by default.
    ///   - clock: Measures the waits.
    public init(
        _ rule: RateRule = .learned, longestWait: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.rule = rule
        self.longestWait = longestWait
        timeline = Timeline(clock)
    }

    /// Admits the call if it may be sent now, and reads the limits from its response.
    public func admit(_ call: inout Call, next: Next) throws(NetworkError) -> Admission? {
        let origin = call.request.url.origin
        return admitOrQueue(origin) ? admission(origin) : nil
    }

    /// Returns when the call may be sent.
    ///
    /// - Throws: `.rateLimited` if the wait would be too long, `.cancelled` if the task is canceled while waiting.
    public func wait(for call: Call) async throws(NetworkError) -> Admission {
        let origin = call.request.url.origin
        do throws(NetworkError) {
            try await waitForTurn(origin)
        } catch {
            var error = error
            error.request = call.request
            error.attempt = call.attempt
            throw error
        }
        return admission(origin)
    }

    private func admission(_ origin: Origin) -> Admission {
        Admission { [self] outcome in
            switch outcome {
            // A cached response repeats earlier limits.
            case .success(let response): end(response.headFromServer, origin)
            case .failure(let error): end(error.response, origin)
            }
            return outcome
        }
    }

    /// Runs work that isn't a call of a client when the rule allows, in the order of calls and work for the same origin.
    ///
    /// ```swift
    /// let limit = RateLimit(.tokenBucket(perSecond: 10, burst: 20))
    /// for id in ids { try await limit.run { show(try await repository.article(id)) } }
    /// ```
    ///
    /// The work isn't started if its task is canceled while it waits.
    ///
    /// - Parameters:
    ///   - origin: Whose limit the work shares, if a client has this middleware, too. `nil` (the default) is a limit of its own.
    ///   - work: The work. Runs where the caller runs.
    /// - Throws: `.rateLimited` if the wait would be too long, `.cancelled` if the task is canceled while waiting, and what the
    ///   work throws.
    public func run<Value>(
        for origin: Origin? = nil, isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
    ) async throws -> Value {
        let origin = origin ?? Self.noOrigin
        if !admitOrQueue(origin) { try await waitForTurn(origin) }
        defer { end(nil, origin) }
        return try await work()
    }

    /// Not the origin of any URL.
    private static let noOrigin = Origin(scheme: .https, host: "", port: 0)

    /// Admits a call or work, or queues it for ``waitForTurn(_:)`` and returns `false`.
    private func admitOrQueue(_ origin: Origin) -> Bool {
        if case .custom = rule { return false }
        return change(origin) { throttle, now in throttle.admitOrQueue(at: now) }
    }

    /// Returns when the queued call may be sent.
    private func waitForTurn(_ origin: Origin) async throws(NetworkError) {
        guard case .custom(let limiter) = rule else { return try await wait(origin) }
        admissions.add(1)
        defer { admissions.add(-1) }
        try await limiter.admit(origin, longestWait: longestWait.bounded)
    }

    private func wait(_ origin: Origin) async throws(NetworkError) {
        let deadline = timeline.now + longestWait.bounded
        defer { change(origin) { throttle, _ in throttle.leaveQueue() } }
        do throws(CancellationError) {
            try await permits.acquire(for: origin)
        } catch {
            throw NetworkError(.cancelled, phase: .middleware)
        }
        admissions.add(1)
        defer {
            admissions.add(-1)
            permits.release(for: origin)
        }
        while let wait = change(origin, { throttle, now in throttle.admit(at: now) }) {
            guard timeline.now + wait <= deadline else {
                throw NetworkError(.rateLimited(retryAfter: wait), phase: .middleware)
            }
            do throws(CancellationError) {
                try await timeline.sleep(for: wait)
            } catch {
                throw NetworkError(.cancelled, phase: .middleware)
            }
        }
    }

    @inline(never)
    private func end(_ head: HTTPResponseHead?, _ origin: Origin) {
        let limit = ServerLimit(head)
        if case .custom(let limiter) = rule { return limiter.end(origin, limit) }
        change(origin) { throttle, now in
            throttle.end()
            if let pause = limit?.pause { throttle.block(for: pause, at: now) }
            guard let remaining = limit?.remaining, let reset = limit?.reset else { return }
            throttle.apply(ServerAllowance(remaining: remaining, reset: reset), at: now)
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ origin: Origin, _ body: (inout HostThrottle, Duration) -> Value) -> Value {
        let now = timeline.now
        return throttles.change(origin, rule, at: now) { body(&$0, now) }
    }
}

/// How many calls wait for their admission now.
private final class WaitingCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ number: Int) { count.wrappingAdd(number, ordering: .relaxed) }
}
