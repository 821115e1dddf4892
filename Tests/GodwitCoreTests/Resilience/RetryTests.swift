import GodwitCore
import GodwitTesting
import Testing

@Suite("M4 retry", .timeLimit(.minutes(15)))
struct RetryTests {
    private let clock = TestClock()
    private let log = AttemptLog()
    private let url = "https://a.com/1"

    private func chain(
        _ replies: [MockResponse], budget: RetryBudget? = nil, _ change: (inout RetryOptions) -> Void = { _ in }
    ) -> (Chain, MockTransport) {
        let mock = MockTransport(clock: clock) { $0.any("*").replies(replies) }
        var options = RetryOptions()
        options.backoff = Backoff(base: .zero)
        change(&options)
        return (
            Chain([Retry(options, budget: budget, clock: clock, using: SeededGenerator(seed: 1)), log], over: mock),
            mock
        )
    }

    private func request(_ method: HTTPMethod = .get, body: HTTPBody? = nil) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try HTTPURL(url), body: body)
    }

    @Test("M4 temporary statuses are retried", arguments: [408, 425, 429, 500, 502, 503, 504])
    func retriedStatus(code: Int) async throws {
        let (chain, mock) = chain([.status(code), .status(204)])
        #expect(await chain.status(try request()) == .success(204))
        #expect(mock.requestCount == 2)
        #expect(log.attempts.values == [1, 2])
    }

    @Test("T18 after 425 Too Early, any method is sent once more, and no oftener")
    func tooEarly() async throws {
        let (chain, mock) = chain([.status(425), .status(201)])
        #expect(await chain.status(try request(.post, body: .bytes(Data("a".utf8)))) == .success(201))
        #expect(mock.requestCount == 2)
        let (stubborn, other) = self.chain([.status(425)])
        #expect(await stubborn.status(try request(.post)) == .success(425))
        #expect(other.requestCount == 2)
    }

    @Test("T18 a 425 is returned if the body can't be sent again, or retries are off")
    func tooEarlyAlone() async throws {
        let once = HTTPBody.stream(once: AsyncStream<Data> { $0.finish() })
        let (first, mock) = chain([.status(425)])
        #expect(await first.status(try request(.post, body: once)) == .success(425))
        #expect(mock.requestCount == 1)
        var request = try request(.post)
        request.options.retry = .never
        let (second, other) = chain([.status(425)])
        #expect(await second.status(request) == .success(425))
        let (third, third2) = chain([.status(425)]) { $0.statuses.remove(425) }
        #expect(await third.status(try self.request(.post)) == .success(425))
        #expect(other.requestCount == 1 && third2.requestCount == 1)
    }

    @Test("M4 other statuses are returned", arguments: [200, 304, 400, 401, 404, 409, 501, 505])
    func passedStatus(code: Int) async throws {
        let (chain, mock) = chain([.status(code)])
        #expect(await chain.status(try request()) == .success(code))
        #expect(mock.requestCount == 1)
    }

    @Test("M4 the last response is returned after the last attempt")
    func exhausted() async throws {
        let (chain, mock) = chain([.status(502), .status(503), .status(504), .status(200)])
        #expect(await chain.status(try request()) == .success(504))
        #expect(mock.requestCount == 3)
        #expect(log.attempts.values == [1, 2, 3])
    }

    @Test("M4 the last error is thrown with the number of its attempt")
    func exhaustedErrors() async throws {
        let (chain, _) = chain([.failure(.transport(.connectionLost("gone")))])
        let request = try request()
        let error = await failure { () async throws(NetworkError) in try await chain.send(request) }
        #expect(error?.kind == .transport(.connectionLost("gone")))
        #expect(error?.attempt == 3)
    }

    /// Refuses each request, and says that it sent it again so often.
    private struct Resending: HTTPTransport {
        let resends: [Int]
        let sent = Collected<Int>()

        func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
            sent.append(request.options.earlierSendings)
            let count = resends[min(sent.values.count, resends.count) - 1]
            if sent.values.count.isMultiple(of: 2) {
                var metrics = TransferMetrics()
                metrics.resendCount = count
                return HTTPResponse(
                    head: HTTPResponseHead(status: .serviceUnavailable), metrics: metrics, request: request)
            }
            var error = NetworkError(.transport(.connectionLost("refused")), phase: .sending, request: request)
            error.resendCount = count
            throw error
        }
    }

    @Test(
        "M4 T11 what the transport sent again counts as attempts, after errors and responses",
        arguments: [
            // how often each attempt is sent again, the limit, what was sent before each attempt
            ([0], 3, [0, 1, 2]), ([2], 3, [0]), ([1, 0], 3, [0, 2]), ([0, 1], 3, [0, 1]), ([5], 3, [0]),
            ([2, 0], 5, [0, 3, 4]), ([-1], 2, [0, 1]), ([.max], 3, [0]),
        ] as [([Int], Int, [Int])])
    func resends(_ resends: [Int], _ limit: Int, _ before: [Int]) async throws {
        var options = RetryOptions()
        options.backoff = Backoff(base: .zero)
        options.maximumAttempts = limit
        let transport = Resending(resends: resends)
        _ = await Chain([Retry(options, budget: nil, clock: clock)], over: transport).status(try request())
        #expect(transport.sent.values == before)
    }

    @Test("M4 a response has the number of its attempt")
    func responseAttempt() async throws {
        let (chain, _) = chain([.status(503), .status(200)])
        #expect(try await chain.send(try request()).metrics.attempt == 2)
        #expect(try await chain.send(try request()).metrics.attempt == 1)
    }

    @Test("M4 C3 a cached response is not retried, and doesn't use the budget")
    func cached() async throws {
        let budget = RetryBudget(capacity: 1, perSecond: 0, perSuccess: 1, clock: clock)
        let mock = MockTransport {
            $0.get("/stored").replies([.status(503).field(.cacheControl, "max-age=60"), .status(200)])
            $0.any("*").reply(.status(503))
        }
        var options = RetryOptions()
        options.backoff = Backoff(base: .zero)
        let retry = Retry(options, budget: budget, clock: clock)
        let chain = Chain([retry, log, Caching(MemoryCacheStore())], over: mock)
        var missing = HTTPRequest(url: try HTTPURL("https://a.com/missing"))
        missing.options.cachePolicy = .cacheOnly
        #expect(await chain.status(missing) == .failure(.init(kind: .notCached)))
        #expect(mock.requestCount == 0 && log.attempts.values == [1])

        var stored = HTTPRequest(url: try HTTPURL("https://a.com/stored"))
        stored.options.retry = .never
        #expect(await chain.status(stored) == .success(503))
        stored.options.retry = nil
        let again = try await chain.send(stored)
        #expect(again.head.status == .serviceUnavailable && again.metrics.source == .cache)
        #expect(mock.requestCount == 1 && log.attempts.values == [1, 1, 1])
        // The one retry of the budget is still there; the three answers above gave it none.
        #expect(await chain.status(try request()) == .success(503))
        #expect(mock.requestCount == 3)
    }

    @Test(
        "M4 only temporary errors are retried",
        arguments: [
            (NetworkError.Kind.timedOut(.inactivity), 2), (.timedOut(.connect), 2), (.timedOut(.total), 1),
            (.transport(.cannotConnect("no")), 2), (.insecure(.certificateExpired), 1), (.offline(.noPath), 1),
            (.offline(.expensiveNotAllowed), 1),
            (.transport(.protocolViolation("odd")), 1), (.tooLarge(limit: 1), 1), (.shutdown, 1), (.cancelled, 1),
        ])
    func errors(kind: NetworkError.Kind, requests: Int) async throws {
        let (chain, mock) = chain([.failure(kind), .status(200)])
        _ = await chain.status(try request())
        #expect(mock.requestCount == requests)
    }

    @Test(
        "M4 only idempotent methods are sent twice",
        arguments: [
            (HTTPMethod.get, 2), (.head, 2), (.options, 2), (.put, 2), (.delete, 2), (.post, 1), (.patch, 1),
        ])
    func methods(method: HTTPMethod, requests: Int) async throws {
        for reply in [MockResponse.status(503), .failure(.transport(.connectionLost("gone")))] {
            let (chain, mock) = chain([reply, .status(200)])
            _ = await chain.status(try request(method))
            #expect(mock.requestCount == requests)
        }
    }

    @Test("M4 with an idempotency key a POST is sent again, under the same key")
    func idempotencyKey() async throws {
        let (chain, mock) = chain([.status(503), .status(201)])
        var request = try request(.post, body: "x")
        request.options.idempotencyKey = "k1"
        #expect(await chain.status(request) == .success(201))
        #expect(mock.requests.map { $0.fields[.idempotencyKey] } == ["k1", "k1"])
        #expect(mock.requests.map(\.text) == ["x", "x"])
    }

    @Test("M4 IdempotencyKeys makes one key for all attempts of a call, and another for the next")
    func generatedKeys() async throws {
        let mock = MockTransport { $0.any("*").replies([.status(503), .status(201)]) }
        var options = RetryOptions()
        options.backoff = Backoff(base: .zero)
        let chain = Chain([IdempotencyKeys(using: SeededGenerator(seed: 3)), Retry(options, clock: clock)], over: mock)
        for _ in 1...2 { #expect(await chain.status(try request(.post)) == .success(201)) }
        let keys = mock.requests.compactMap { $0.fields[.idempotencyKey] }
        #expect(keys.count == 3)
        #expect(keys[0] == keys[1])
        #expect(keys[1] != keys[2])
        let parts = keys[0].split(separator: "-")
        #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
        #expect(parts[2].first == "4")
    }

    @Test("M4 IdempotencyKeys leaves safe methods and given keys alone")
    func keptKeys() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(200)) }
        let chain = Chain([IdempotencyKeys()], over: mock)
        var own = try request(.post)
        own.fields[.idempotencyKey] = "mine"
        _ = await chain.status(own)
        own = try request(.post)
        own.options.idempotencyKey = "option"
        _ = await chain.status(own)
        _ = await chain.status(try request(.get))
        #expect(mock.requests.map { $0.fields[.idempotencyKey] } == ["mine", "option", nil])
    }

    @Test("M4 a body that isn't replayable is sent once")
    func notReplayable() async throws {
        let (chain, mock) = chain([.status(503), .status(200)])
        let once = AsyncStream<Data> { $0.finish() }
        #expect(await chain.status(try request(.put, body: .stream(once: once))) == .success(503))
        #expect(mock.requestCount == 1)
    }

    @Test(
        "M4 a request's rule overrides the client's",
        arguments: [(RetryOverride.never, 1), (.attempts(5), 5), (.attempts(0), 1)])
    func override(rule: RetryOverride, requests: Int) async throws {
        let (chain, mock) = chain([.status(503)])
        var request = try request()
        request.options.retry = rule
        #expect(await chain.status(request) == .success(503))
        #expect(mock.requestCount == requests)
    }

    @Test("M4 the wait is exactly the Retry-After")
    func retryAfter() async throws {
        let (chain, mock) = chain([.status(429).field(.retryAfter, "7"), .status(200)])
        let request = try request()
        let task = Task { await chain.status(request) }
        try await clock.waitForSleepers()
        #expect(clock.advanceToNextSleeper() == .seconds(7))
        #expect(await task.value == .success(200))
        #expect(mock.requestCount == 2)
    }

    @Test("M4 a Retry-After beyond the limit is returned immediately")
    func longRetryAfter() async throws {
        let (chain, mock) = chain([.status(503).field(.retryAfter, "61"), .status(200)])
        #expect(await chain.status(try request()) == .success(503))
        #expect(mock.requestCount == 1)
    }

    @Test("M4 waits are random, from zero to a maximum that grows up to the cap")
    func jitter() async throws {
        let (chain, _) = chain([.status(503)]) {
            $0.maximumAttempts = 40
            $0.backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(4))
        }
        let request = try request()
        let task = Task { await chain.status(request) }
        var waits: [Duration] = []
        for _ in 1..<40 {
            try await clock.waitForSleepers()
            waits.append(clock.advanceToNextSleeper() ?? .zero)
        }
        #expect(await task.value == .success(503))
        #expect(waits[0] <= .seconds(1))
        #expect(waits[1] <= .seconds(2))
        #expect(waits.allSatisfy { $0 <= .seconds(4) })
        #expect(Set(waits).count == waits.count)
        #expect(waits.contains { $0 < .seconds(1) } && waits.contains { $0 > .seconds(3) })
    }

    @Test("M4 cancellation ends the wait immediately with .cancelled, and nothing more is sent")
    func cancellation() async throws {
        let (chain, mock) = chain([.status(503).field(.retryAfter, "30"), .status(200)])
        let request = try request()
        let task = Task { await chain.status(request) }
        try await clock.waitForSleepers()
        task.cancel()
        #expect(await task.value == .failure(.init(kind: .cancelled)))
        #expect(clock.now.offset == .zero)
        #expect(clock.sleeperCount == 0)
        #expect(mock.requestCount == 1)
    }

    @Test("M4 a streamed response is released before the wait for a retry")
    func streamed() async throws {
        let endless = MockResponse.endlessChunks(every: .seconds(1)).field(.retryAfter, "9")
        var refused = endless
        refused.status = .serviceUnavailable
        let (chain, mock) = chain([refused, .status(200)])
        var request = try request()
        request.delivery = .streamed
        let sent = request
        let task = Task { await chain.status(sent) }
        try await mock.waitForRequests(count: 1)
        try await mock.waitUntilExchangesEnd()
        try await clock.waitForSleepers()
        #expect(mock.requestCount == 1)
        clock.advance(by: .seconds(9))
        #expect(await task.value == .success(200))
    }

    @Test("M4 the budget limits the retries of all calls, and refills with time and successes")
    func budget() async throws {
        let budget = RetryBudget(capacity: 3, perSecond: 0.5, perSuccess: 0.25, clock: clock)
        let (failing, failed) = chain([.status(503)], budget: budget) { $0.maximumAttempts = 2 }
        for _ in 1...10 { #expect(await failing.status(try request()) == .success(503)) }
        #expect(failed.requestCount == 13)
        clock.advance(by: .seconds(2))
        for _ in 1...3 { _ = await failing.status(try request()) }
        #expect(failed.requestCount == 17)
        let (working, _) = chain([.status(200)], budget: budget)
        for _ in 1...4 { _ = await working.status(try request()) }
        for _ in 1...3 { _ = await failing.status(try request()) }
        #expect(failed.requestCount == 21)
    }

    @Test("M4 a thousand callers of a failing server send no more than the budget allows")
    func crowd() async throws {
        let budget = RetryBudget(capacity: 25, perSecond: 0, clock: clock)
        let (chain, mock) = chain([.failure(.timedOut(.connect))], budget: budget) { $0.maximumAttempts = 4 }
        let request = try request()
        await withTaskGroup { group in
            for _ in 1...1000 { group.addTask { _ = await chain.status(request) } }
        }
        #expect(mock.requestCount == 1025)
    }
}
