import Godwit
import GodwitTelemetry
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("Exports of metrics", .timeLimit(.minutes(15)))
struct MetricTests {
    @Test("G6 requests in progress, waiting calls and connections are counted while they last")
    func gauges() async throws {
        let collector = try await TestCollector()
        let clock = TestClock()
        var options = MockServer.Options()
        options.clock = clock
        let server = try await MockServer(options) { $0.any("*").reply(.text("x").delayed(by: .seconds(1))) }
        let telemetry = try collector.telemetry()
        let api = APIClient(baseURL: server.url) {
            $0.telemetry = telemetry
            $0.concurrency.total = 2
        }
        let calls = (0..<5).map { _ in Task { try await api.send(Endpoint<Data>.get("a")) } }
        try await server.waitForRequests(count: 2)
        try await eventually {
            await telemetry.flush()
            return try collector.metrics["godwit.client.waiting_calls"]?.value("godwit.queue", "concurrency") == 3
        }
        var metrics = try collector.metrics
        #expect(metrics["http.client.active_requests"]?.value("server.address", "127.0.0.1") == 2)
        #expect(metrics["godwit.client.active_calls"]?.value() == 5)
        #expect(metrics["http.client.open_connections"]?.value("http.connection.state", "active") == 2)
        #expect(metrics["http.client.open_connections"]?.value("http.connection.state", "idle") == 0)
        try await clock.run { for call in calls { _ = try await call.value } }
        await telemetry.shutdown()
        metrics = try collector.metrics
        #expect(metrics["http.client.active_requests"]?.value("server.address", "127.0.0.1") == 0)
        #expect(metrics["godwit.client.active_calls"]?.value() == 0)
        #expect(metrics["http.client.open_connections"]?.value("http.connection.state", "active") == 0)
        #expect(metrics["http.client.open_connections"]?.value("http.connection.state", "idle") == 2)
        #expect(metrics["http.client.request.duration"]?.value("http.response.status_code", "200") == 5)
        #expect(metrics["http.client.response.body.size"]?.points.map(\.sum) == [5])
        #expect(metrics["godwit.client.calls"]?.value("godwit.call.source", "network") == 5)
        #expect(metrics["http.client.request.duration"]?.histogram?.aggregationTemporality == 2)
        #expect(metrics["http.client.active_requests"]?.sum?.isMonotonic == nil)
        #expect(metrics["godwit.client.calls"]?.sum?.isMonotonic == true)
    }

    @Test("G6 metrics are exported at each interval, and a failed export loses nothing")
    func intervals() async throws {
        let collector = try await TestCollector {
            $0.post("/v1/metrics").replies([.status(503), .json([:])])
            $0.any("*").reply(.json([:]))
        }
        let clock = TestClock()
        let telemetry = try collector.telemetry {
            $0.clock = clock
            $0.sampling = .alwaysOff
            $0.backoff = Backoff(base: .seconds(7), factor: 1)
        }
        let transport = MockTransport { $0.any("*").reply(.text("x")) }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.telemetry = telemetry }
        _ = try await api.send(Endpoint<Data>.get("a"))
        #expect(try await clock.nextSleep() == .seconds(60))
        _ = try await api.send(Endpoint<Data>.get("a"))
        try await collector.server.waitForRequests(count: 1)
        #expect(try await clock.nextSleep() <= .seconds(7))
        try await collector.server.waitForRequests(count: 2)
        #expect(try collector.metrics["http.client.request.duration"]?.value("http.response.status_code", "200") == 2)
        #expect(try await clock.nextSleep() == .seconds(60))
        await telemetry.shutdown()
    }

    @Test("G6 series have a limit, after which requests share one")
    func overflow() async throws {
        let collector = try await TestCollector()
        let telemetry = try collector.telemetry {
            $0.cardinalityLimit = 3
            $0.sampling = .alwaysOff
        }
        let transport = MockTransport { $0.any("*").reply(.text("x")) }
        for number in 0..<10 {
            let api = APIClient(baseURL: "https://h\(number).example.com", transport: transport) {
                $0.telemetry = telemetry
            }
            _ = try await api.send(Endpoint<Data>.get("a"))
        }
        await telemetry.shutdown()
        let metrics = try collector.metrics
        let durations = try #require(metrics["http.client.request.duration"])
        #expect(durations.points.count == 4 && durations.value("otel.metric.overflow", "true") == 7)
        let overflow = durations.points.flatMap(\.attributes).first { $0.key == "otel.metric.overflow" }
        #expect(overflow?.value.boolValue == true)
        let active = try #require(metrics["http.client.active_requests"])
        #expect(active.points.count == 4 && active.points.allSatisfy { $0.asInt == "0" })
    }

    @Test("G6 token refreshes are counted once for all clients of a token, and are calls of their own")
    func refreshes() async throws {
        let collector = try await TestCollector()
        let telemetry = try collector.telemetry()
        let transport = MockTransport {
            $0.post("/token").reply(.status(204))
            $0.any("*").where { $0.fields["authorization"] == "Bearer new" }.reply(.text("x"))
            $0.any("*").reply(.status(401))
        }
        let tokens = MemoryTokenStore(AccessToken(access: "old", refresh: "r"))
        let clients = (0..<2).map { _ in
            APIClient(baseURL: "https://api.example.com", transport: transport) {
                $0.telemetry = telemetry
                $0.authentication = .refreshing(tokens) { api, old in
                    try await api.send(Endpoint<Void>.post("token", body: .form(["refresh_token": old.refresh ?? ""])))
                    return AccessToken(access: "new")
                }
            }
        }
        for api in clients { _ = try await api.send(Endpoint<Data>.get("a")) }
        await telemetry.shutdown()
        #expect(try collector.metrics["godwit.client.token_refreshes"]?.value() == 1)
        #expect(try collector.spans.filter(\.isCall).map(\.name).sorted() == ["GET /a", "GET /a", "POST /token"])
    }

    @Test("G6 clients of one transport count its connections once, and those that are gone not at all")
    func shared() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let telemetry = try collector.telemetry { $0.sampling = .alwaysOff }
        let transport = CountingTransport()
        let clients = (0..<3).map { _ in
            APIClient(baseURL: server.url, transport: transport) { $0.telemetry = telemetry }
        }
        do {
            let other = CountingTransport()
            _ = APIClient(baseURL: server.url, transport: other) { $0.telemetry = telemetry }
        }
        for api in clients { _ = try await api.send(Endpoint<Data>.get("a")) }
        await telemetry.flush()
        #expect(try collector.metrics["http.client.open_connections"]?.value("http.connection.state", "active") == 3)
        #expect(try collector.metrics["godwit.client.connecting_requests"]?.value() == 4)
        await telemetry.shutdown()
        #expect(await clients[0].connectionCounts() == ConnectionCounts(open: 5, idle: 2, waiting: 4))
    }

    @Test("G6 calls that wait for a rate limit are counted, also the only one of an origin")
    func throttled() async throws {
        let collector = try await TestCollector()
        let telemetry = try collector.telemetry { $0.sampling = .alwaysOff }
        let clock = TestClock()
        let transport = MockTransport { $0.any("*").reply(.text("x")) }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
            $0.telemetry = telemetry
            $0.clock = clock
            $0.rateLimit = .slidingWindow(count: 1, per: .seconds(9))
        }
        _ = try await api.send(Endpoint<Data>.get("a"))
        let waiting = Task { try await api.send(Endpoint<Data>.get("a")) }
        try await clock.waitForSleepers()
        #expect(await telemetry.flush(within: .seconds(60)))
        #expect(try collector.metrics["godwit.client.waiting_calls"]?.value("godwit.queue", "rate_limit") == 1)
        clock.advance(by: .seconds(9))
        _ = try await waiting.value
        #expect(await telemetry.shutdown(within: .seconds(60)))
        #expect(try collector.metrics["godwit.client.waiting_calls"]?.value("godwit.queue", "rate_limit") == 0)
    }

    @Test("G6 the count of token refreshes doesn't fall when a client is released, nor start with older refreshes")
    func releasedRefreshes() async throws {
        let collector = try await TestCollector()
        let telemetry = try collector.telemetry { $0.sampling = .alwaysOff }
        let transport = MockTransport {
            $0.any("*").where { $0.fields["authorization"] == "Bearer new" }.reply(.text("x"))
            $0.any("*").reply(.status(401))
        }
        for round in 1...2 {
            let tokens = MemoryTokenStore(AccessToken(access: "old", refresh: "r"))
            do {
                let api = APIClient(baseURL: "https://api.example.com", transport: transport) {
                    $0.telemetry = telemetry
                    $0.authentication = .refreshing(tokens) { _, _ in AccessToken(access: "new") }
                }
                _ = try await api.send(Endpoint<Data>.get("a"))
            }
            // The client is gone before the first export that could count its refresh.
            for _ in 0..<2 {
                #expect(await telemetry.flush(within: .seconds(60)))
                #expect(try collector.metrics["godwit.client.token_refreshes"]?.value() == round)
            }
        }
        await telemetry.shutdown()
    }

    @Test("G6 points never end before they start, also after the wall clock is set back")
    func wallClock() async throws {
        let collector = try await TestCollector()
        let now = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        let telemetry = try collector.telemetry {
            $0.sampling = .alwaysOff
            $0.now = { now.withLock { $0 } }
        }
        let transport = MockTransport { $0.any("*").reply(.text("x")) }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.telemetry = telemetry }
        _ = try await api.send(Endpoint<Data>.get("a"))
        now.withLock { $0 = Date(timeIntervalSince1970: 1_600_000_000) }
        await telemetry.shutdown()
        let point = try #require(try collector.metrics["http.client.request.duration"]?.points.first)
        let start = try #require(UInt64(point.startTimeUnixNano ?? "")), end = UInt64(point.timeUnixNano ?? "") ?? 0
        #expect(start == 1_700_000_000_000_000_000 && end > start)
    }

    @Test("G6 flushes at the same time lose no client's gauges, and metrics honor Retry-After and partial success")
    func concurrentExports() async throws {
        let partial: JSONValue = ["partialSuccess": ["rejectedDataPoints": "3", "errorMessage": "too many labels"]]
        let collector = try await TestCollector {
            $0.post("/v1/metrics").replies([.json(partial), .status(503).field(.retryAfter, "90"), .json([:])])
            $0.any("*").reply(.json([:]))
        }
        let clock = TestClock()
        let telemetry = try collector.telemetry {
            $0.clock = clock
            $0.sampling = .alwaysOff
        }
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let transports = (0..<3).map { _ in CountingTransport() }
        let clients = transports.map { transport in
            APIClient(baseURL: server.url, transport: transport) { $0.telemetry = telemetry }
        }
        _ = try await clients[0].send(Endpoint<Data>.get("a"))
        #expect(await telemetry.flush(within: .seconds(60)))
        #expect(telemetry.statistics.lastMetricFailure == "too many labels")
        #expect(await telemetry.flush() == false)
        #expect(telemetry.statistics.lastMetricFailure == "HTTP 503")
        do {
            let gone = CountingTransport()
            _ = APIClient(baseURL: server.url, transport: gone) { $0.telemetry = telemetry }
        }
        let flushes = (0..<8).map { _ in Task { await telemetry.flush(within: .seconds(1000)) } }
        try await clock.waitForSleepers(count: 9)
        #expect(collector.bodies("metrics").count == 2)
        clock.advance(by: .seconds(90))
        for flush in flushes { #expect(await flush.value) }
        #expect(try collector.metrics["godwit.client.connecting_requests"]?.value() == 12)
        await telemetry.shutdown()
        withExtendedLifetime(clients) {}
    }
}

/// Has the same counts at all times.
private final class CountingTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        HTTPResponse(head: HTTPResponseHead(status: .ok), body: "x", request: request)
    }

    func connectionCounts() async -> ConnectionCounts? { ConnectionCounts(open: 5, idle: 2, waiting: 4) }
}
