#if Metrics
import Godwit
import GodwitMetrics
import GodwitTesting
import Metrics
import MetricsTestKit
import Testing

private protocol Dimensioned {
    var dimensions: [(String, String)] { get }
}

extension TestTimer: Dimensioned {}
extension TestMeter: Dimensioned {}
extension TestCounter: Dimensioned {}

/// What a backend of swift-metrics gets of clients.
@Suite("Metrics of swift-metrics", .timeLimit(.minutes(15)))
struct MetricsTests {
    private let metrics = TestMetrics()

    private func dimension(_ name: String, of metric: some Dimensioned) -> String? {
        metric.dimensions.first { $0.0 == name }?.1
    }

    @Test("I4 each request is timed and sized by method, host, template and status, and calls are counted by source")
    func requests() async throws {
        let mock = MockTransport {
            $0.post("/v1/articles").replies([.status(503), .text("four")])
            $0.get("/v1/dead").fail(.transport(.connectionLost("gone")))
        }
        let clock = TestClock()
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock) {
            $0.telemetry = MetricsTelemetry(factory: metrics, clock: clock)
            $0.clock = ImmediateClock()
            $0.retry.maximumAttempts = 2
        }
        let create = Endpoint<Data>.post("articles", body: .text("body")).accepting(.serviceUnavailable)
        _ = try await api.send(create)
        _ = try await api.send(create)
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Data>.get("dead")) }

        let timers = metrics.timers.filter { $0.label == "http.client.request.duration" }
        #expect(Set(timers.map { dimension("http.response.status_code", of: $0) ?? "-" }) == ["503", "200", "-"])
        let success = try #require(timers.first { dimension("http.response.status_code", of: $0) == "200" })
        #expect(dimension("http.request.method", of: success) == "POST")
        #expect(dimension("server.address", of: success) == "api.example.com")
        #expect(dimension("server.port", of: success) == "443")
        #expect(dimension("url.template", of: success) == "/v1/articles")
        #expect(success.values == [0])
        let failure = try #require(timers.first { dimension("error.type", of: $0) == "transport.connection_lost" })
        #expect(failure.values == [0, 0])
        let received = metrics.recorders.filter { $0.label == "http.client.response.body.size" }
        #expect(received.flatMap(\.values).contains(4))
        for meter in metrics.meters where meter.label.contains("active") { #expect(meter.lastValue == 0) }
        let calls = metrics.counters.filter { $0.label == "godwit.client.calls" }
        #expect(calls.first { dimension("godwit.call.source", of: $0) == "network" }?.totalValue == 2)
        #expect(calls.first { dimension("godwit.call.source", of: $0) == "none" }?.totalValue == 1)
    }

    @Test("I4 gauges of waiting calls and connections are read at the interval, and end with their client")
    func gauges() async throws {
        let server = try await MockServer {
            $0.get("/slow").reply(.hang)
            $0.get("/a").reply(.text("x"))
        }
        let clock = TestClock()
        let telemetry = MetricsTelemetry(factory: metrics, interval: .seconds(5), clock: clock)
        var api: APIClient? = APIClient(baseURL: server.url) {
            $0.telemetry = telemetry
            $0.concurrency.total = 1
        }
        _ = try await api?.send(Endpoint<Data>.get("a"))
        let tasks = (0..<3).map { _ in Task { [api] in try await api?.send(Endpoint<Data>.get("slow")) } }
        _ = try await server.waitForRequests(count: 2)
        var waiting: Double?
        while waiting != 2 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(5))
            try await clock.waitForSleepers()
            waiting =
                metrics.meters.first {
                    $0.label == "godwit.client.waiting_calls" && dimension("godwit.queue", of: $0) == "concurrency"
                }?.lastValue
        }
        let open = metrics.meters.filter { $0.label == "http.client.open_connections" }
        #expect(open.compactMap(\.lastValue).reduce(0, +) >= 1)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        await api?.shutdown(.cancelling)
        api = nil
        // The reading that finds no client is the last.
        while clock.sleeperCount > 0 {
            clock.advance(by: .seconds(5))
            await Task.yield()
        }
    }

    @Test("I4 more series than the limit share one")
    func overflow() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("x")) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.telemetry = MetricsTelemetry(factory: metrics, seriesLimit: 3)
        }
        for number in 0..<10 { _ = try await api.send(HTTPRequest(url: "https://h\(number).example.com/")) }
        let timers = metrics.timers.filter { $0.label == "http.client.request.duration" }
        #expect(
            Set(timers.map { dimension("server.address", of: $0) ?? "-" }) == [
                "h0.example.com", "h1.example.com", "h2.example.com", "-",
            ])
        #expect(timers.filter { dimension("otel.metric.overflow", of: $0) == "true" }.flatMap(\.values).count == 7)
    }
}
#endif
