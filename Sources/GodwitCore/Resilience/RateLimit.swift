/// Sends to each origin no faster than a rule allows and than its server says it will take.
///
/// ```swift
/// let chain = Chain([RateLimit(.tokenBucket(perSecond: 10, burst: 20))], over: transport)
/// ```
///
/// Calls that are too early wait in the order in which they came. Whatever the rule, a 429 or 503 with `Retry-After` stops calls
/// to that origin for as long, and `RateLimit`, `RateLimit-Remaining` and `X-RateLimit-Remaining` fields bound what goes
/// out until their reset. What a server says is believed for an hour at most. Near the end of an allowance some of it
/// may go unused, as calls under way may be counted twice.
///
/// Cancelling a call that waits frees its place in the queue at once and throws `.cancelled`. A call that would wait
/// longer than `longestWait` in all throws `.rateLimited`, as soon as it is its turn to know.
public struct RateLimit: Middleware {
    private let rule: RateRule
    private let longestWait: Duration
    private let timeline: Timeline
    /// Whose turn it is to wait for the pace: one for each origin.
    private let turns = AsyncSemaphore(total: nil, perHost: 1)
    private let paces = PaceTable()

    /// How many calls wait behind one that waits for its time.
    package var waitingCount: Int { turns.waitingCount }

    /// Whether no call waits.
    package var isIdle: Bool { turns.isIdle }

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - rule: What each origin gets at most.
    ///   - longestWait: How long a call may wait; a minute by default.
    ///   - clock: What tells the time and what waits are measured by.
    public init(
        _ rule: RateRule = .learned, longestWait: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.rule = rule
        self.longestWait = longestWait
        timeline = Timeline(clock)
    }

    /// Passes the call on when it is its turn, and learns from the answer.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// Throws `.rateLimited` where that would take too long, and `.cancelled` where the task is cancelled meanwhile.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let origin = call.request.url.origin
        if !change(origin, { pace, now in pace.admitOrQueue(at: now) }) { try await waitForTurn(call, origin) }
        do throws(NetworkError) {
            let response = try await next(call)
            if let head = response.headFromServer {
                learn(from: head, origin)
            } else {
                // A stored answer repeats what the server said of another time.
                change(origin) { pace, _ in pace.end() }
            }
            return response
        } catch {
            if let head = error.response {
                learn(from: head, origin)
            } else {
                change(origin) { pace, _ in pace.end() }
            }
            throw error
        }
    }

    /// Returns when the call, which is in the queue, may go.
    private func waitForTurn(_ call: Call, _ origin: Origin) async throws(NetworkError) {
        let deadline = timeline.now + longestWait.bounded
        defer { change(origin) { pace, _ in pace.leaveQueue() } }
        do throws(CancellationError) {
            try await turns.acquire(for: origin)
        } catch {
            throw NetworkError.cancelled(call)
        }
        defer { turns.release(for: origin) }
        while let wait = change(origin, { pace, now in pace.admit(at: now) }) {
            guard timeline.now + wait <= deadline else {
                throw NetworkError(.rateLimited(retryAfter: wait), phase: .middleware, request: call.request)
            }
            do throws(CancellationError) {
                try await timeline.sleep(for: wait)
            } catch {
                throw NetworkError.cancelled(call)
            }
        }
    }

    private func learn(from head: HTTPResponseHead, _ origin: Origin) {
        // 503 says that the server is overloaded, whatever is asked of it (RFC 9110 section 15.6.4).
        let isForAll = head.status == .tooManyRequests || head.status == .serviceUnavailable
        let delay = isForAll ? head.retryAfter : nil
        let allowance = ServerAllowance(head.fields)
        change(origin) { pace, now in
            pace.end()
            if let delay { pace.block(for: delay, at: now) }
            guard let allowance else { return }
            if head.status == .tooManyRequests, delay == nil { pace.block(for: allowance.reset, at: now) }
            pace.learn(allowance, at: now)
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ origin: Origin, _ body: (inout Pace, Duration) -> Value) -> Value {
        let now = timeline.now
        return paces.change(origin, rule, at: now) { body(&$0, now) }
    }
}
