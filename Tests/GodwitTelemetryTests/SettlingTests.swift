import Godwit
@testable import GodwitTelemetry
import GodwitSupport
import GodwitTesting
import Synchronization
import TestSupport
import Testing

/// What becomes of exports in the end, and what a flush says of them.
@Suite("Ends of exports", .timeLimit(.minutes(15)))
struct SettlingTests {
    private let transport = MockTransport { $0.any("*").reply(.text("x")) }

    /// Makes a call, which is two spans.
    private func call(_ telemetry: Telemetry, _ path: EndpointPath = "a") async throws {
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.telemetry = telemetry }
        _ = try await api.send(Endpoint<Data>.get(path))
    }

    @Test("G6 a batch that a collector never answers in time is dropped after a while, and newer spans are exported")
    func slow() async throws {
        let clock = TestClock()
        // Answers too late to an export of old spans: the call ends by its time limit.
        let collector = MockTransport { request in
            if request.text.contains("GET /old") { throw NetworkError(.timedOut(.total), phase: .sending) }
            return .status(.ok)
        }
        let telemetry = try Telemetry(otlp: "https://collector.example", service: "tests", over: collector) {
            ($0.encoding, $0.compression, $0.clock) = (.json, .off, clock)
            $0.signals = [.traces]
            $0.diagnostics = Diagnostics()
            $0.maxRetryTime = .seconds(20)
            $0.backoff = Backoff(base: .seconds(10), factor: 1)
        }
        try await call(telemetry, "old")
        let advancing = Task {
            while !Task.isCancelled {
                clock.advance(by: .seconds(5))
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        await eventually { telemetry.statistics.droppedSpans == 2 }
        #expect(telemetry.statistics.lastFailure == "timed_out.total")
        try await call(telemetry, "new")
        await eventually { telemetry.statistics.exportedSpans == 2 }
        advancing.cancel()
        #expect(telemetry.statistics.waitingSpans == 0 && telemetry.statistics.lastFailure == nil)
        #expect(await telemetry.shutdown(within: .seconds(60)))
    }

    @Test("G6 a shutdown that drops spans because the collector can't be reached returns false")
    func lostAtShutdown() async throws {
        let collector = try await TestCollector { $0.any("*").reply(.status(503)) }
        let telemetry = try collector.telemetry { $0.signals = [.traces] }
        try await call(telemetry)
        #expect(await telemetry.shutdown() == false)
        #expect(telemetry.statistics.droppedSpans == 2)
    }

    @Test("G6 a backend that takes only traces doesn't make a flush fail, and a signal can be switched off")
    func tracesOnly() async throws {
        let collector = try await TestCollector {
            $0.post("/v1/traces").reply(.json([:]))
            $0.any("*").reply(.status(404))
        }
        let diagnostics = Diagnostics()
        let telemetry = try collector.telemetry { $0.diagnostics = diagnostics }
        try await call(telemetry)
        #expect(await telemetry.flush(within: .seconds(60)))
        #expect(telemetry.statistics.lastMetricFailure == "HTTP 404" && telemetry.statistics.lastFailure == nil)
        #expect(diagnostics.recent.map(\.path) == ["\(collector.server.url.origin)/v1/metrics"])
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let metrics = collector.bodies("metrics").count
        let onlyTraces = try collector.telemetry { $0.signals = [.traces] }
        try await call(onlyTraces)
        #expect(await onlyTraces.shutdown(within: .seconds(60)))
        #expect(collector.bodies("metrics").count == metrics && onlyTraces.statistics.exportedSpans == 2)
        let onlyMetrics = try collector.telemetry { $0.signals = [.metrics] }
        try await call(onlyMetrics)
        #expect(await onlyMetrics.shutdown(within: .seconds(60)))
        #expect(collector.bodies("metrics").count == metrics + 1 && onlyMetrics.statistics.spans == 0)
        #expect(transport.requests.last?.fields["traceparent"]?.hasSuffix("-00") == true)
    }

    @Test("G6 the last export of metrics counts the last spans, also those that were dropped")
    func order() async throws {
        let collector = try await TestCollector {
            $0.post("/v1/traces").replies([.json([:]), .status(503)])
            $0.any("*").reply(.json([:]))
        }
        let telemetry = try collector.telemetry { $0.maxExportBatchSize = 2 }
        try await call(telemetry)
        await eventually { telemetry.statistics.exportedSpans == 2 }
        try await call(telemetry)
        _ = await telemetry.shutdown()
        let spans = try #require(try collector.metrics["godwit.telemetry.spans"])
        #expect(spans.value("godwit.span.result", "exported") == telemetry.statistics.exportedSpans)
        #expect(spans.value("godwit.span.result", "dropped") == telemetry.statistics.droppedSpans)
        #expect(telemetry.statistics.exportedSpans + telemetry.statistics.droppedSpans == 4)
    }

    @Test("G6 spans are accepted by the status alone: a response that is garbage or too large rejects nothing")
    func garbage() async throws {
        let large = MockResponse.text(String(repeating: "\n\u{2}\u{8}\u{9}", count: 1 << 19))
        let collector = try await TestCollector {
            $0.post("/v1/traces").replies([.text("<html>"), large, .json(["partialSuccess": 7])])
            $0.any("*").reply(.json([:]))
        }
        let telemetry = try collector.telemetry()
        for count in [2, 4, 6] {
            try await call(telemetry)
            #expect(await telemetry.flush(within: .seconds(60)))
            #expect(telemetry.statistics.exportedSpans == count && telemetry.statistics.rejectedSpans == 0)
        }
        #expect(collector.bodies("traces").count == 3)
        await telemetry.shutdown()
    }

    @Test("G6 a warning of a collector that accepted everything is shown, and isn't a failure")
    func warning() async throws {
        let warning: JSONValue = ["partialSuccess": ["errorMessage": "deprecated endpoint"]]
        let collector = try await TestCollector {
            $0.post("/v1/traces").replies([.json(warning), .json([:])])
            $0.any("*").reply(.json([:]))
        }
        let telemetry = try collector.telemetry()
        for _ in 0..<2 {
            try await call(telemetry)
            #expect(await telemetry.flush(within: .seconds(60)))
            let statistics = telemetry.statistics
            #expect(statistics.lastWarning == "deprecated endpoint" && statistics.lastFailure == nil)
        }
        #expect(telemetry.statistics.exportedSpans == 4)
        await telemetry.shutdown()
    }

    @Test("G6 exports go below the path of the base URL")
    func basePath() async throws {
        let collector = try await TestCollector()
        let telemetry = try Telemetry(otlp: "\(collector.server.url)otlp/", service: "tests") { $0.compression = .off }
        try await call(telemetry)
        #expect(await telemetry.shutdown(within: .seconds(60)))
        #expect(collector.server.requests.map(\.path) == ["/otlp/v1/traces", "/otlp/v1/metrics"])
    }

    @Test("G6 a flush that is canceled leaves nothing behind")
    func canceledFlush() async throws {
        let (entered, answered) = (Waiter<Void>(), Waiter<Void>())
        let collector = MockTransport { _ in
            entered.resume()
            await answered.value()
            return .status(.ok)
        }
        let options = TelemetryOptions()
        let timeline = Timeline(ContinuousClock())
        let url = try HTTPURL("https://collector.example")
        let client = APIClient(baseURL: url, transport: collector, preset: Collector.configuration(options))
        let exporter = SpanExporter(
            Collector(client, at: url, options),
            SpanMessage(resource: Resource(service: "a", [:]), redaction: Redaction(fields: [], names: [])), options,
            timeline)
        exporter.add(try span(url))
        let mark = exporter.startFlush()
        let flushes = (0..<20).map { _ in Task { await exporter.isExported(mark) } }
        await entered.value()
        await eventually { exporter.waiterCount == 20 }
        for flush in flushes { flush.cancel() }
        for flush in flushes { #expect(await flush.value == false) }
        #expect(exporter.waiterCount == 0)
        answered.resume()
        #expect(await exporter.isExported(mark))
    }

    private func span(_ url: HTTPURL) throws -> SpanRecord {
        var generator = SeededGenerator(seed: 1)
        return SpanRecord(
            scope: .request(resendCount: 0), trace: TraceContext(using: &generator), parent: nil,
            start: Moment(Date(timeIntervalSince1970: 1), .zero), duration: .zero, method: .get, isKnownMethod: true,
            url: url, template: nil, secrets: [],
            outcome: Outcome(.failure(NetworkError(.cancelled, phase: .sending))))
    }

    @Test("G6 a ratio keeps the traces with the greatest random parts, as other samplers of OpenTelemetry do")
    func ratio() {
        let quarter = TelemetryOptions.Sampling.traceIDRatio(0.25)
        let prefix = String(repeating: "f", count: 18)
        #expect(quarter.samples(prefix + "c0000000000000") && !quarter.samples(prefix + "bfffffffffffff"))
        #expect(TelemetryOptions.Sampling.traceIDRatio(1).samples(prefix + "00000000000000"))
        #expect(!TelemetryOptions.Sampling.traceIDRatio(0).samples(prefix + "ffffffffffffff"))
        #expect(!TelemetryOptions.Sampling.traceIDRatio(.nan).samples(prefix + "ffffffffffffff"))
    }
}
