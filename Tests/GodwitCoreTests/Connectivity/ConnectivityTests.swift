import GodwitCore
import GodwitTesting
import Testing

@Suite("M8 O2 O3 connectivity", .timeLimit(.minutes(15)))
struct ConnectivityTests {
    private static let wifi = NetworkPath(status: .satisfied, interfaces: [.wifi])
    private static let hotspot = NetworkPath(status: .satisfied, interfaces: [.wifi], isExpensive: true)
    private static let mobile = NetworkPath(status: .satisfied, interfaces: [.cellular], isExpensive: true)
    private static let lowData = NetworkPath(status: .satisfied, interfaces: [.wifi], isConstrained: true)

    private let transport = ScriptedTransport()
    private let clock = TestClock()
    private let events = Collected<String>()

    private func chain(_ policy: ConnectivityPolicy, _ feed: PathFeed) -> Chain {
        Chain([Connectivity(policy, monitor: feed, clock: clock)], over: transport)
    }

    private func request(
        _ url: String = "https://api.example.com/", change: (inout RequestOptions) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var request = HTTPRequest(url: try HTTPURL(url))
        let events = events
        request.options.onEvent = { events.append("\($0)") }
        change(&request.options)
        return request
    }

    @Test("M8 failing fast throws .offline without a path, and sends nothing")
    func failFast() async throws {
        let request = try request()
        let error = await failure { () throws(NetworkError) in
            try await chain(.failFast, PathFeed(.unsatisfied)).send(request)
        }
        #expect(error?.kind == .offline(.noPath))
        #expect(error?.request != nil)
        #expect(transport.requests.isEmpty && events.values.isEmpty)
    }

    @Test("M8 by default, a request is sent without checking the path")
    func attempt() async throws {
        let asked = LockedFlag()
        let middleware = Connectivity(monitor: Self.asking(asked))
        _ = try await Chain([middleware], over: transport).send(request())
        #expect(!asked.isRaised)
        _ = try await chain(.attempt, PathFeed(.unsatisfied)).send(request { $0.allowedNetworks = [] })
        #expect(transport.requests.count == 2)
    }

    private static func asking(_ flag: LockedFlag) -> any PathMonitor {
        flag.raise()
        return PathFeed(.unsatisfied)
    }

    @Test(
        "O2 a request fails with the reason if it must not use the network",
        arguments: [ConnectivityPolicy.attempt, .failFast],
        [
            (hotspot, .cellular, .expensiveNotAllowed), (lowData, [.cellular, .expensive], .constrainedNotAllowed),
            (mobile, [.expensive, .constrained], .cellularNotAllowed),
        ] as [(NetworkPath, NetworkAllowance, NetworkError.OfflineReason)])
    func notAllowed(
        policy: ConnectivityPolicy, scene: (NetworkPath, NetworkAllowance, NetworkError.OfflineReason)
    ) async throws {
        let request = try request { $0.allowedNetworks = scene.1 }
        let error = await failure { () throws(NetworkError) in try await chain(policy, PathFeed(scene.0)).send(request)
        }
        #expect(error?.kind == .offline(scene.2))
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "O1 requests to this machine are always sent",
        arguments: ["http://localhost:8080/", "http://127.0.0.1/", "http://[::1]/"])
    func loopback(url: String) async throws {
        let request = try request(url) { $0.allowedNetworks = [] }
        #expect(try await chain(.failFast, PathFeed(.unsatisfied)).send(request).head.status == .ok)
    }

    @Test("O3 a request waits, reports that once, and is sent when it can use the path")
    func waits() async throws {
        let feed = PathFeed(.unsatisfied)
        let request = try request { $0.allowedNetworks = [.cellular] }
        let sending = Task { try await chain(.wait(upTo: nil), feed).send(request).head.status }
        while feed.waitingCount == 0 { await Task.yield() }
        #expect(events.values == ["waitingForConnectivity"])
        feed.update(Self.hotspot)
        while feed.waitingCount == 0 { await Task.yield() }
        #expect(transport.requests.isEmpty)
        feed.update(Self.wifi)
        #expect(try await sending.value == .ok)
        #expect(events.values == ["waitingForConnectivity"])
    }

    @Test("O3 the wait ends at its limit, with the reason of that moment")
    func limit() async throws {
        let feed = PathFeed(.unsatisfied)
        let request = try request { $0.allowedNetworks = [] }
        let sending = Task {
            await failure { () throws(NetworkError) in try await chain(.wait(upTo: .seconds(30)), feed).send(request) }
        }
        try await clock.waitForSleepers()
        feed.update(Self.hotspot)
        clock.advance(by: .seconds(30))
        #expect(await sending.value?.kind == .offline(.expensiveNotAllowed))
        #expect(feed.waitingCount == 0 && clock.sleeperCount == 0)
    }

    @Test("O3 the timer is canceled when the path arrives")
    func noLeftovers() async throws {
        let feed = PathFeed(.unsatisfied)
        let request = try request()
        let sending = Task { try await chain(.wait(upTo: .seconds(30)), feed).send(request).head.status }
        try await clock.waitForSleepers()
        feed.update(Self.wifi)
        #expect(try await sending.value == .ok)
        #expect(clock.sleeperCount == 0)
    }

    @Test("O3 cancellation ends the wait immediately")
    func cancellation() async throws {
        let feed = PathFeed(.unsatisfied)
        let request = try request()
        let sending = Task {
            await failure { () throws(NetworkError) in try await chain(.wait(upTo: .seconds(30)), feed).send(request) }
        }
        try await clock.waitForSleepers()
        sending.cancel()
        #expect(await sending.value?.kind == .cancelled)
        #expect(feed.waitingCount == 0 && clock.sleeperCount == 0 && transport.requests.isEmpty)
    }

    @Test("O3 if the monitor stops, the wait ends with the reason")
    func stopped() async throws {
        let feed = PathFeed(.unsatisfied)
        let request = try request()
        let sending = Task {
            await failure { () throws(NetworkError) in try await chain(.wait(upTo: nil), feed).send(request) }
        }
        while feed.waitingCount == 0 { await Task.yield() }
        feed.finish()
        #expect(await sending.value?.kind == .offline(.noPath))
    }

    @Test("O3 an endpoint's policy replaces the client's")
    func override() async throws {
        let feed = PathFeed(.unsatisfied)
        let clock = clock
        let api = articles(transport) {
            $0.attemptMiddleware = [Connectivity(.wait(upTo: nil), monitor: feed, clock: clock)]
        }
        let failed = await api.failure(of: Endpoint<Void>.get("a").connectivity(.failFast))
        #expect(failed?.kind == .offline(.noPath))
        let waited = Task { await api.failure(of: Endpoint<Void>.get("a").waitsForConnectivity(upTo: .seconds(5))) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(await waited.value?.kind == .offline(.noPath))
    }
}
