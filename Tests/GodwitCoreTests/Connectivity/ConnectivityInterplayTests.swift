import GodwitCore
import GodwitTesting
import Testing

@Suite("M8 connectivity among the other middlewares", .timeLimit(.minutes(15)))
struct ConnectivityInterplayTests {
    private let request = Result { HTTPRequest(url: try HTTPURL("https://api.example.com/")) }

    @Test("M8 below the cache: a fresh response needs no network, a stale one fails without it")
    func cache() async throws {
        let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        let transport = ScriptedTransport(200, "tides", [.cacheControl: "max-age=60"])
        let chain = Chain([Caching(MemoryCacheStore()), Connectivity(.failFast, monitor: feed)], over: transport)
        _ = try await chain.send(request.get())
        feed.update(.unsatisfied)
        #expect(try await chain.send(request.get()).body.text() == "tides")
        var other = try request.get()
        other.url = try HTTPURL("https://api.example.com/other")
        let error = await failure { [other] () throws(NetworkError) in try await chain.send(other) }
        #expect(error?.kind == .offline(.noPath))
        #expect(transport.requests.count == 1)
    }

    @Test("M8 below retries: an attempt that lost its network is followed by one that waits for the next")
    func retry() async throws {
        let wifi = NetworkPath(status: .satisfied, interfaces: [.wifi])
        let feed = PathFeed(wifi)
        let transport = ScriptedTransport { request throws(NetworkError) in
            guard feed.current == wifi else { return .reply(to: request) }
            feed.update(.unsatisfied)
            throw NetworkError(.transport(.connectionLost("gone")), phase: .receiving, request: request)
        }
        var options = RetryOptions()
        options.backoff = Backoff(base: .zero)
        let chain = Chain([Retry(options), Connectivity(.wait(upTo: nil), monitor: feed)], over: transport)
        let request = try request.get()
        let sending = Task { try await chain.send(request).head.status }
        while feed.waitingCount == 0 { await Task.yield() }
        #expect(transport.requests.count == 1)
        feed.update(NetworkPath(status: .satisfied, interfaces: [.cellular], isExpensive: true))
        #expect(try await sending.value == .ok)
        #expect(transport.requests.count == 2)
    }

    @Test(
        "M8 O3 below retries: a request without a network fails immediately or after one wait, without retries",
        arguments: [(ConnectivityPolicy.failFast, 0), (.wait(upTo: .seconds(1)), 1)])
    func refusal(policy: ConnectivityPolicy, waits: Int) async throws {
        let clock = TestClock()
        let transport = ScriptedTransport()
        let connectivity = Connectivity(policy, monitor: PathFeed(.unsatisfied), clock: clock)
        let log = AttemptLog()
        let chain = Chain([Retry(clock: clock), log, connectivity], over: transport)
        let request = try request.get()
        let sending = Task { await chain.status(request) }
        for _ in 0..<waits {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        #expect(await sending.value == .failure(.init(kind: .offline(.noPath))))
        #expect(clock.now.offset == .seconds(waits))
        #expect(log.attempts.values == [1] && transport.requests.isEmpty)
    }

    @Test("O2 below redirects: a hop to this machine needs no network, and one from it does")
    func redirects() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "https://api.example.com/") }])
        let chain = Chain([Redirects(), Connectivity(.failFast, monitor: PathFeed(.unsatisfied))], over: transport)
        let local = HTTPRequest(url: try HTTPURL("http://localhost/"))
        let error = await failure { () throws(NetworkError) in try await chain.send(local) }
        #expect(error?.kind == .offline(.noPath))
        #expect(transport.requests.count == 1)
    }
}
