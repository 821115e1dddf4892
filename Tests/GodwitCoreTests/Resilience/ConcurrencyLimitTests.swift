import GodwitCore
import GodwitTesting
import Testing

@Suite("M6 concurrency limit", .timeLimit(.minutes(15)))
struct ConcurrencyLimitTests {
    private func request(_ path: String, host: String = "a.com") throws -> HTTPRequest {
        HTTPRequest(url: try HTTPURL("https://\(host)/\(path)"))
    }

    private func waitForQueue(_ limit: ConcurrencyLimit, count: Int) async {
        while limit.waitingCount < count { await Task.yield() }
    }

    @Test("M6 calls beyond the limit wait, and are sent in FIFO order")
    func order() async throws {
        let limit = ConcurrencyLimit(total: 1)
        let gate = Watched(false)
        let mock = MockTransport { _ in
            try await gate.wait { $0 }
            return .status(200)
        }
        let chain = Chain([limit], over: mock)
        var tasks: [Task<Result<Int, Chain.Failure>, Never>] = []
        for index in 0..<50 {
            let request = try request("\(index)")
            tasks.append(Task { await chain.status(request) })
            if index == 0 { try await mock.waitForRequests() } else { await waitForQueue(limit, count: index) }
        }
        #expect(mock.requestCount == 1)
        gate.update { $0 = true }
        for task in tasks { #expect(await task.value == .success(200)) }
        #expect(mock.requests.map(\.path) == (0..<50).map { "/\($0)" })
        #expect(limit.isIdle)
    }

    @Test("M6 calls that wait for one origin don't delay those to another")
    func perHost() async throws {
        let limit = ConcurrencyLimit(total: 3, perHost: 1)
        let mock = MockTransport {
            $0.get("/hang").reply(.hang)
            $0.get("/quick").reply(.status(200))
        }
        let chain = Chain([limit], over: mock)
        let hanging = try request("hang")
        let tasks = (0..<2).map { _ in Task { await chain.status(hanging) } }
        await waitForQueue(limit, count: 1)
        #expect(await chain.status(try request("quick", host: "b.com")) == .success(200))
        #expect(mock.requestCount == 2)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .failure(.init(kind: .cancelled))) }
        #expect(limit.isIdle)
    }

    @Test("M6 a canceled waiter leaves the queue immediately with .cancelled, and sends nothing")
    func cancelledWaiter() async throws {
        let limit = ConcurrencyLimit(perHost: 1)
        let mock = MockTransport {
            $0.get("/hang").reply(.hang)
            $0.get("/never").reply(.status(200))
            $0.get("/next").reply(.status(204))
        }
        let chain = Chain([limit], over: mock)
        let (hang, never, next) = (try request("hang"), try request("never"), try request("next"))
        let first = Task { await chain.status(hang) }
        try await mock.waitForRequests()
        let second = Task { await chain.status(never) }
        await waitForQueue(limit, count: 1)
        let third = Task { await chain.status(next) }
        await waitForQueue(limit, count: 2)
        second.cancel()
        #expect(await second.value == .failure(.init(kind: .cancelled)))
        #expect(limit.waitingCount == 1)
        first.cancel()
        #expect(await third.value == .success(204))
        #expect(mock.requests.map(\.path) == ["/hang", "/next"])
    }

    @Test("M6 an already canceled call takes no permit")
    func cancelledBefore() async throws {
        let limit = ConcurrencyLimit(total: 1)
        let mock = MockTransport { $0.any("*").reply(.status(200)) }
        let chain = Chain([limit], over: mock)
        let request = try request("1")
        let result = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await chain.status(request)
        }.value
        #expect(result == .failure(.init(kind: .cancelled)))
        #expect(mock.requestCount == 0)
        #expect(limit.isIdle)
    }

    @Test("M6 a failed call releases its permit")
    func failed() async throws {
        let limit = ConcurrencyLimit(total: 1)
        let chain = Chain([limit], over: MockTransport { $0.any("*").fail(.timedOut(.inactivity)) })
        for _ in 1...3 {
            #expect(await chain.status(try request("1")) == .failure(.init(kind: .timedOut(.inactivity))))
        }
        #expect(limit.isIdle)
    }

    @Test("M6 a streamed response releases the permit when its head is received")
    func streamed() async throws {
        let limit = ConcurrencyLimit(total: 1)
        let mock = MockTransport(clock: TestClock()) { $0.any("*").reply(.endlessChunks(every: .seconds(1))) }
        let chain = Chain([limit], over: mock)
        var request = try request("1")
        request.delivery = .streamed
        let response = try await chain.send(request)
        #expect(limit.isIdle)
        #expect(mock.openExchangeCount == 1)
        withExtendedLifetime(response) {}
    }

    @Test(
        "M6 thousands of callers, some canceled at random moments: all end, and no permit is lost",
        arguments: [1, 2, 3])
    func storm(seed: UInt64) async throws {
        let limit = ConcurrencyLimit(total: 12, perHost: 5)
        let mock = MockTransport { request in
            for _ in 0..<(request.queryValue("turns").flatMap { Int($0) } ?? 0) { await Task.yield() }
            return .status(200)
        }
        let chain = Chain([limit], over: mock)
        var random = SeededGenerator(seed: seed)
        var tasks: [Task<Result<Int, Chain.Failure>, Never>] = []
        var cancelled = 0
        for index in 0..<4000 {
            let host = "h\(Int.random(in: 0..<4, using: &random)).com"
            let request = try request("?turns=\(Int.random(in: 0..<4, using: &random))", host: host)
            tasks.append(Task { await chain.status(request) })
            if Int.random(in: 0..<4, using: &random) == 0 {
                tasks[Int.random(in: max(0, index - 30)...index, using: &random)].cancel()
                cancelled += 1
            }
            if Int.random(in: 0..<8, using: &random) == 0 { await Task.yield() }
        }
        var outcomes: [Result<Int, Chain.Failure>: Int] = [:]
        for task in tasks { outcomes[await task.value, default: 0] += 1 }
        #expect(Set(outcomes.keys).isSubset(of: [.success(200), .failure(.init(kind: .cancelled))]))
        #expect(outcomes[.success(200), default: 0] >= 4000 - cancelled)
        #expect(limit.isIdle)
    }

    @Test("M6 without cancellation the limits hold exactly, for thousands of callers")
    func exact() async throws {
        let limit = ConcurrencyLimit(total: 7, perHost: 3)
        let crowds = (0..<4).map { _ in Crowd() }
        let all = Crowd()
        let mock = MockTransport { request in
            let crowd = crowds[request.queryValue("host").flatMap { Int($0) } ?? 0]
            all.enter()
            crowd.enter()
            await Task.yield()
            crowd.leave()
            all.leave()
            return .status(200)
        }
        let chain = Chain([limit], over: mock)
        let requests = try (0..<3000).map { try request("?host=\($0 % 4)", host: "h\($0 % 4).com") }
        await withTaskGroup { group in
            for request in requests { group.addTask { #expect(await chain.status(request) == .success(200)) } }
        }
        #expect(all.peak <= 7)
        #expect(crowds.allSatisfy { $0.peak <= 3 })
        #expect(all.peak > 1)
        #expect(limit.isIdle)
    }
}
