import GodwitCore
import GodwitTesting
import Testing

@Suite("M7 circuit breaker", .timeLimit(.minutes(15)))
struct CircuitBreakerTests {
    private let clock = TestClock()

    private func chain(_ replies: [MockResponse], probes: Int = 1) -> (Chain, MockTransport) {
        let mock = MockTransport(clock: clock) {
            $0.get("/hang").reply(.hang)
            $0.get("/fine").reply(.status(200))
            $0.any("*").replies(replies)
        }
        var options = CircuitBreaker.Options()
        options.failures = 3
        options.pause = .seconds(10)
        options.probes = probes
        return (Chain([CircuitBreaker(options, clock: clock)], over: mock), mock)
    }

    private func request(_ host: String = "a.com", _ path: String = "/") throws -> HTTPRequest {
        HTTPRequest(url: try HTTPURL("https://\(host)\(path)"))
    }

    private func open(_ chain: Chain) async throws {
        for _ in 1...3 { _ = await chain.status(try request()) }
    }

    private func refusal(_ chain: Chain, _ request: HTTPRequest) async -> CircuitOpen? {
        do throws(NetworkError) {
            _ = try await chain.send(request)
            return nil
        } catch {
            return error.underlying as? CircuitOpen
        }
    }

    @Test(
        "M7 after enough consecutive failures, nothing is sent until the end of the pause",
        arguments: [
            MockResponse.status(503), .status(500), .failure(.timedOut(.inactivity)),
            .failure(.transport(.cannotConnect("no"))),
        ])
    func opens(reply: MockResponse) async throws {
        let (chain, mock) = chain([reply])
        try await open(chain)
        clock.advance(by: .seconds(4))
        let origin = try request().url.origin
        #expect(await refusal(chain, try request()) == CircuitOpen(origin: origin, retryAfter: .seconds(6)))
        #expect(mock.requestCount == 3)
        #expect(await chain.status(try request("b.com", "/fine")) == .success(200))
    }

    @Test(
        "M7 responses and errors that don't show a broken host never open the circuit",
        arguments: [
            MockResponse.status(404), .status(429), .status(501), .failure(.cancelled), .failure(.timedOut(.total)),
            .failure(.offline(.noPath)), .failure(.tooLarge(limit: 1)),
        ])
    func staysClosed(reply: MockResponse) async throws {
        let (chain, mock) = chain([reply])
        for _ in 1...10 { #expect(await refusal(chain, try request()) == nil) }
        #expect(mock.requestCount == 10)
    }

    @Test("M7 C3 a cached response neither opens nor closes a circuit")
    func cached() async throws {
        let mock = MockTransport(clock: clock) {
            $0.get("/stored").reply(.text("tides").field(.cacheControl, "max-age=60"))
            $0.any("*").reply(.status(503))
        }
        var options = CircuitBreaker.Options()
        options.failures = 2
        options.pause = .seconds(10)
        let chain = Chain([CircuitBreaker(options, clock: clock), Caching(MemoryCacheStore())], over: mock)
        var missing = try request()
        missing.options.cachePolicy = .cacheOnly
        for _ in 1...5 { #expect(await chain.status(missing) == .failure(.init(kind: .notCached))) }
        #expect(await chain.status(try request("a.com", "/stored")) == .success(200))
        #expect(await chain.status(try request()) == .success(503))
        #expect(await chain.status(try request("a.com", "/stored")) == .success(200))
        #expect(await chain.status(try request()) == .success(503))
        #expect(await refusal(chain, try request()) != nil)
        #expect(mock.requestCount == 3)

        // A stored answer is no probe: it leaves the place to a call that asks the server.
        clock.advance(by: .seconds(10))
        #expect(await chain.status(try request("a.com", "/stored")) == .success(200))
        #expect(await chain.status(try request()) == .success(503))
        #expect(await refusal(chain, try request()) != nil)
        #expect(mock.requestCount == 4)
    }

    @Test("M7 a success between failures resets the count")
    func consecutive() async throws {
        let (chain, mock) = chain([.status(503), .status(503), .status(200), .status(503), .status(503), .status(200)])
        for _ in 1...6 { _ = await chain.status(try request()) }
        #expect(mock.requestCount == 6)
    }

    @Test("M7 after the pause, a successful probe closes the circuit")
    func closes() async throws {
        let (chain, mock) = chain([.status(503), .status(503), .status(503), .status(200)])
        try await open(chain)
        clock.advance(by: .seconds(10))
        for _ in 1...5 { #expect(await chain.status(try request()) == .success(200)) }
        #expect(mock.requestCount == 8)
    }

    @Test("M7 a failed probe starts another pause")
    func reopens() async throws {
        let (chain, mock) = chain([.status(503)])
        try await open(chain)
        clock.advance(by: .seconds(10))
        #expect(await chain.status(try request()) == .success(503))
        #expect(await refusal(chain, try request())?.retryAfter == .seconds(10))
        #expect(mock.requestCount == 4)
    }

    @Test("M7 the number of probes is limited, and a canceled probe makes room for another", arguments: [1, 2])
    func probes(count: Int) async throws {
        let (chain, mock) = chain([.status(503)], probes: count)
        try await open(chain)
        clock.advance(by: .seconds(10))
        let hanging = try request("a.com", "/hang")
        let tasks = (0..<count).map { _ in Task { await chain.status(hanging) } }
        try await mock.waitForRequests(count: 3 + count)
        let origin = try request().url.origin
        #expect(await refusal(chain, try request()) == CircuitOpen(origin: origin, retryAfter: nil))
        for task in tasks {
            task.cancel()
            _ = await task.value
        }
        #expect(await chain.status(try request("a.com", "/fine")) == .success(200))
        #expect(await chain.status(try request("a.com", "/fine")) == .success(200))
    }

    @Test("M7 a call that was sent before the circuit opened doesn't close it")
    func lateAnswer() async throws {
        let gate = Watched(false)
        let mock = MockTransport {
            $0.get("/late").reply { _ in
                try await gate.wait { $0 }
                return .status(200)
            }
            $0.any("*").reply(.status(503))
        }
        var options = CircuitBreaker.Options()
        options.failures = 3
        let chain = Chain([CircuitBreaker(options, clock: clock)], over: mock)
        let late = try request("a.com", "/late")
        let task = Task { await chain.status(late) }
        try await mock.waitForRequests()
        try await open(chain)
        gate.update { $0 = true }
        #expect(await task.value == .success(200))
        #expect(await refusal(chain, try request()) != nil)
    }

    @Test("M7 after the pause, a thousand concurrent callers send one probe")
    func crowd() async throws {
        let (chain, mock) = chain([.status(503)])
        try await open(chain)
        clock.advance(by: .seconds(10))
        let hanging = try request("a.com", "/hang")
        let (ended, refused) = (Watched(0), Collected<CircuitOpen>())
        let tasks = (0..<1000).map { _ in
            Task {
                if let refusal = await refusal(chain, hanging) { refused.append(refusal) }
                ended.update { $0 += 1 }
            }
        }
        try await ended.wait { $0 == 999 }
        try await mock.waitForRequests(count: 4)
        #expect(refused.values.count == 999)
        #expect(mock.requestCount == 4)
        for task in tasks { task.cancel() }
        try await ended.wait { $0 == 1000 }
    }
}
