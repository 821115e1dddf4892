import GodwitCore
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

@Suite("M6 rate limit", .timeLimit(.minutes(15)))
struct RateLimitTests {
    private let clock = TestClock()

    private func request(_ path: String = "1", host: String = "a.com") throws -> HTTPRequest {
        HTTPRequest(url: try HTTPURL("https://\(host)/\(path)"))
    }

    /// Sends concurrent calls and advances the clock whenever one waits. Returns when each was sent, in seconds.
    private func times(_ count: Int, _ limit: RateLimit) async throws -> [Double] {
        let sent = Collected<Double>()
        let mock = MockTransport { [clock] _ in
            sent.append(clock.now.offset / .seconds(1))
            return .status(200)
        }
        let chain = Chain([limit], over: mock)
        let request = try request()
        let tasks = (0..<count).map { _ in Task { await chain.status(request) } }
        // All that are let go are sent before the clock moves on, so that each is seen at its own time.
        while sent.values.count < count {
            let waiting = limit.waitingCount
            if clock.sleeperCount == 1, sent.values.count + waiting == count { clock.advanceToNextSleeper() }
            await Task.yield()
        }
        for task in tasks { #expect(await task.value == .success(200)) }
        return sent.values
    }

    @Test("M6 a token bucket allows a burst, then one call at a time")
    func bucket() async throws {
        let limit = RateLimit(.tokenBucket(perSecond: 2, burst: 3), clock: clock)
        let times = try await times(7, limit)
        #expect(times.map { ($0 * 1000).rounded() } == [0, 0, 0, 500, 1000, 1500, 2000])
        #expect(limit.isIdle)
    }

    @Test("M6 a sliding window never allows more calls in any span of its length")
    func window() async throws {
        let limit = RateLimit(.slidingWindow(count: 2, per: .seconds(10)), clock: clock)
        #expect(try await times(5, limit) == [0, 0, 10, 10, 20])
    }

    @Test("M6 work that isn't a call is limited, too, apart from calls")
    func work() async throws {
        let limit = RateLimit(.tokenBucket(perSecond: 1, burst: 1), clock: clock)
        _ = await Chain([limit], over: MockTransport { _ in .status(200) }).status(try request())
        let times = Collected<Double>()
        let tasks = (0..<3).map { number in
            Task { [clock] in
                try await limit.run {
                    times.append(clock.now.offset / .seconds(1))
                    return number
                }
            }
        }
        while times.values.count < 3 {
            let waiting = limit.waitingCount
            if clock.sleeperCount == 1, times.values.count + waiting == 3 { clock.advanceToNextSleeper() }
            await Task.yield()
        }
        var numbers: [Int] = []
        for task in tasks { numbers.append(try await task.value) }
        #expect(numbers == [0, 1, 2])
        #expect(times.values == [0, 1, 2])
        #expect(limit.isIdle)
    }

    @Test("M6 work can share the limit of an origin with calls, and its own errors are thrown as they are")
    func sharedWork() async throws {
        let limit = RateLimit(.tokenBucket(perSecond: 1, burst: 2), longestWait: .zero, clock: clock)
        let request = try request()
        let chain = Chain([limit], over: MockTransport { _ in .status(200) })
        #expect(await chain.status(request) == .success(200))
        await #expect(throws: CancellationError.self) {
            try await limit.run(for: request.url.origin) { throw CancellationError() }
        }
        let error = await #expect(throws: NetworkError.self) {
            try await limit.run(for: request.url.origin) { Issue.record("the limit was used up") }
        }
        #expect(error?.kind == .rateLimited(retryAfter: .seconds(1)))
        let refused = await failure { () async throws(NetworkError) in try await chain.send(request) }
        #expect(refused?.kind == .rateLimited(retryAfter: .seconds(1)))
        #expect(refused?.request?.url == request.url && refused?.attempt == 1)
    }

    @Test("M6 work whose task is canceled while it waits isn't started")
    func cancelledWork() async throws {
        let limit = RateLimit(.tokenBucket(perSecond: 1, burst: 1), clock: clock)
        try await limit.run {}
        let task = Task { try await limit.run { Issue.record("started") } }
        await eventually { clock.sleeperCount == 1 }
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(limit.isIdle)
    }

    @Test("M6 origins are limited separately")
    func origins() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(200)) }
        let chain = Chain([RateLimit(.slidingWindow(count: 1, per: .seconds(9)), clock: clock)], over: mock)
        for host in ["a.com", "b.com", "c.com"] {
            #expect(await chain.status(try request(host: host)) == .success(200))
        }
        #expect(clock.sleeperCount == 0)
    }

    @Test("M6 calls are sent in FIFO order, and a canceled one leaves the queue immediately")
    func order() async throws {
        let limit = RateLimit(.slidingWindow(count: 1, per: .seconds(1)), clock: clock)
        let mock = MockTransport { $0.any("*").reply(.status(200)) }
        let chain = Chain([limit], over: mock)
        #expect(await chain.status(try request("first")) == .success(200))
        var tasks: [Task<Result<Int, Chain.Failure>, Never>] = []
        for index in 0..<6 {
            let request = try request("\(index)")
            tasks.append(Task { await chain.status(request) })
            if index == 0 { try await clock.waitForSleepers() }
            while limit.waitingCount <= index { await Task.yield() }
        }
        for index in [0, 3] {
            tasks[index].cancel()
            #expect(await tasks[index].value == .failure(.init(kind: .cancelled)))
        }
        for _ in 1...4 {
            try await clock.waitForSleepers()
            #expect(clock.advanceToNextSleeper() == .seconds(1))
            let sent = mock.requestCount
            while mock.requestCount == sent, clock.sleeperCount == 0 { await Task.yield() }
        }
        for index in [1, 2, 4, 5] { #expect(await tasks[index].value == .success(200)) }
        #expect(mock.requests.map(\.path) == ["/first", "/1", "/2", "/4", "/5"])
        #expect(limit.isIdle)
    }

    @Test("M6 G6 the call that waits for its time is counted as waiting too, and so is one of a custom limiter")
    func waitingCount() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(200)) }
        let limit = RateLimit(.slidingWindow(count: 1, per: .seconds(1)), clock: clock)
        let chain = Chain([limit], over: mock)
        for host in ["a.com", "b.com"] { #expect(await chain.status(try request(host: host)) == .success(200)) }
        #expect(limit.waitingCount == 0)
        let requests = try ["a.com", "b.com"].map { try request(host: $0) }
        let waiting = requests.map { request in Task { await chain.status(request) } }
        try await clock.waitForSleepers(count: 2)
        #expect(limit.waitingCount == 2)
        clock.advance(by: .seconds(1))
        for task in waiting { #expect(await task.value == .success(200)) }
        #expect(limit.waitingCount == 0)

        let limiter = HoldingLimiter()
        let custom = RateLimit(.custom(limiter), clock: clock)
        let other = try request()
        let held = Task { await Chain([custom], over: mock).status(other) }
        await limiter.entered.value()
        #expect(custom.waitingCount == 1)
        limiter.admitted.resume()
        #expect(await held.value == .success(200))
        #expect(custom.waitingCount == 0)
    }

    @Test("M6 a wait beyond the limit throws .rateLimited immediately, with the wait")
    func tooLong() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(200)) }
        let limit = RateLimit(.slidingWindow(count: 1, per: .seconds(90)), longestWait: .seconds(60), clock: clock)
        let chain = Chain([limit], over: mock)
        #expect(await chain.status(try request()) == .success(200))
        clock.advance(by: .seconds(20))
        #expect(await chain.status(try request()) == .failure(.init(kind: .rateLimited(retryAfter: .seconds(70)))))
        #expect(mock.requestCount == 1)
        #expect(limit.isIdle)
    }

    @Test("M6 M4 a call that the limit refuses is not retried")
    func refusedOnce() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(200)) }
        let limit = RateLimit(.slidingWindow(count: 1, per: .seconds(9)), longestWait: .seconds(5), clock: clock)
        let chain = Chain([Retry(clock: clock), limit], over: mock)
        let request = try request()
        #expect(await chain.status(request) == .success(200))
        #expect(await chain.status(request) == .failure(.init(kind: .rateLimited(retryAfter: .seconds(9)))))
        #expect(mock.requestCount == 1 && clock.sleeperCount == 0)
    }

    @Test("M6 C1 a cached response doesn't change the limits")
    func storedAnswer() async throws {
        let mock = MockTransport {
            $0.get("/kept").reply(
                MockResponse(
                    status: .ok,
                    fields: ["Cache-Control": "max-age=1000", "RateLimit-Remaining": "0", "RateLimit-Reset": "30"]))
            $0.any("*").reply(.status(200))
        }
        let chain = Chain([RateLimit(clock: clock), Caching(MemoryCacheStore())], over: mock)
        for _ in 0..<2 {
            #expect(await chain.status(try request("kept")) == .success(200))
            clock.advance(by: .seconds(30))
        }
        #expect(mock.requestCount == 1)
        #expect(await chain.status(try request("kept")) == .success(200))
        let other = try request("other")
        let task = Task { await chain.status(other) }
        while mock.requestCount < 2, clock.sleeperCount == 0 { await Task.yield() }
        #expect(mock.requestCount == 2)
        task.cancel()
        _ = await task.value
    }

    /// How long the second call waits after the first one's answer; zero where it does not.
    private func pause(after answer: MockResponse) async throws -> Duration {
        let mock = MockTransport { $0.any("*").replies([answer, .status(200)]) }
        let chain = Chain([RateLimit(longestWait: .seconds(10_000), clock: clock)], over: mock)
        let request = try request()
        _ = await chain.status(request)
        let second = Task { await chain.status(request) }
        while mock.requestCount < 2, clock.sleeperCount == 0 { await Task.yield() }
        let waited = clock.advanceToNextSleeper() ?? .zero
        #expect(await second.value == .success(200))
        return waited
    }

    @Test(
        "M6 the server's limits are followed",
        arguments: [
            (429, ["Retry-After": "7"], 7), (200, ["Retry-After": "7"], 0), (429, [:], 0),
            (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"], 30),
            (200, ["RateLimit-Remaining": "1", "RateLimit-Reset": "30"], 0),
            (200, ["Backoff": "7"], 7), (200, ["Backoff": "soon"], 0), (304, ["Backoff": "99999999"], 3600),
            (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "12"], 12),
            (200, ["X-Rate-Limit-Remaining": "0", "X-Rate-Limit-Reset": "12"], 12),
            (429, ["X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "12"], 12),
            (200, ["RateLimit": "limit=100, remaining=0, reset=25"], 25),
            (200, ["RateLimit": "limit=100, remaining=5, reset=25"], 0),
            (200, ["RateLimit": "\"burst\";r=5;t=1, \"day\";r=0;t=45"], 45),
            (
                200,
                [
                    "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000050",
                    "Date": "Tue, 14 Nov 2023 22:13:20 GMT",
                ], 50
            ),
            (
                200,
                [
                    "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000050000",
                    "Date": "Tue, 14 Nov 2023 22:13:20 GMT",
                ], 50
            ),
            (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "soon"], 0),
            (200, ["RateLimit-Remaining": "-1", "RateLimit-Reset": "5"], 0),
            (200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "99999999999999999999"], 3600),
            (200, ["RateLimit": ";;=,r=,t"], 0), (429, ["Retry-After": "999999"], 3600),
        ] as [(Int, [String: String], Int)])
    func learned(status: Int, fields: [String: String], seconds: Int) async throws {
        var answer = MockResponse.status(status)
        for (name, value) in fields { answer = answer.field(try #require(HTTPField.Name(name)), value) }
        #expect(try await pause(after: answer) == .seconds(seconds))
    }

    @Test("M6 an allowance is counted down between responses")
    func countdown() async throws {
        let gate = Watched(false)
        let mock = MockTransport {
            $0.get("/first").reply(.status(200).field("RateLimit", "\"d\";r=2;t=20"))
            $0.any("*").reply { _ in
                try await gate.wait { $0 }
                return .status(200)
            }
        }
        let chain = Chain([RateLimit(clock: clock)], over: mock)
        _ = await chain.status(try request("first"))
        let request = try request()
        let tasks = (0..<5).map { _ in Task { await chain.status(request) } }
        try await clock.waitForSleepers()
        while mock.requestCount < 3 { await Task.yield() }
        #expect(mock.requestCount == 3)
        #expect(clock.advanceToNextSleeper() == .seconds(20))
        gate.update { $0 = true }
        for task in tasks { #expect(await task.value == .success(200)) }
    }

    @Test("M6 thousands of callers with random cancellations: all end", arguments: [1, 2])
    func storm(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let rule = RateRule.tokenBucket(perSecond: 1000, burst: 5)
        let limit = RateLimit(rule, longestWait: .seconds(100), clock: clock)
        let mock = MockTransport { $0.any("*").reply(.status(200)) }
        let chain = Chain([limit], over: mock)
        let ended = Watched(0)
        var cancelled: Set<Int> = []
        var tasks: [Task<Result<Int, Chain.Failure>, Never>] = []
        for index in 0..<2000 {
            let request = try request(host: "h\(Int.random(in: 0..<3, using: &random)).com")
            tasks.append(
                Task {
                    defer { ended.update { $0 += 1 } }
                    return await chain.status(request)
                })
            if Int.random(in: 0..<4, using: &random) == 0 {
                let victim = Int.random(in: max(0, index - 50)...index, using: &random)
                tasks[victim].cancel()
                cancelled.insert(victim)
            }
        }
        while ended.value < 2000 {
            clock.advanceToNextSleeper()
            await Task.yield()
        }
        for (index, task) in tasks.enumerated() {
            let result = await task.value
            #expect(
                result == .success(200) || (cancelled.contains(index) && result == .failure(.init(kind: .cancelled))))
        }
        #expect(limit.isIdle)
    }

    @Test(
        "M6 a 503 with Retry-After stops calls to its origin like a 429; other statuses don't",
        arguments: [429, 503, 500, 404])
    func overloaded(status: Int) async throws {
        let mock = MockTransport(clock: clock) {
            $0.any("*").replies([.status(status).field(.retryAfter, "30"), .status(200)])
        }
        let chain = Chain([RateLimit(.learned, clock: clock)], over: mock)
        let request = try request()
        #expect(await chain.status(request) == .success(status))
        let next = Task { await chain.status(request) }
        if status == 429 || status == 503 {
            try await clock.waitForSleepers()
            #expect(mock.requestCount == 1)
            clock.advance(by: .seconds(30))
        }
        #expect(await next.value == .success(200))
    }
}

/// Admits a call when the test says so.
private final class HoldingLimiter: RateLimiter {
    let entered = Waiter<Void>()
    let admitted = Waiter<Void>()

    func admit(_ origin: Origin, longestWait: Duration) async throws(NetworkError) {
        entered.resume()
        await admitted.value()
    }

    func end(_ origin: Origin, _ limit: ServerLimit?) {}
}
