import Godwit
import GodwitTelemetry
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("Exports of spans", .timeLimit(.minutes(15)))
struct ExportTests {
    private let transport = MockTransport { $0.any("*").reply(.text("x")) }

    /// Makes calls, of which each is two spans.
    private func call(_ telemetry: Telemetry, times: Int = 1) async throws {
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.telemetry = telemetry }
        for _ in 0..<times { _ = try await api.send(Endpoint<Data>.get("a")) }
    }

    /// Waits until another task than the metrics' sleeps, and advances to its deadline.
    private func nextPause(_ clock: TestClock) async throws -> Duration? {
        try await clock.waitForSleepers(count: 2)
        return clock.advanceToNextSleeper()
    }

    /// Whether every span is in exactly one place.
    private func addUp(_ statistics: TelemetryStatistics) -> Bool {
        statistics.spans == statistics.exportedSpans + statistics.droppedSpans + statistics.rejectedSpans
            + statistics.waitingSpans
    }

    @Test("G6 a full batch is exported at once, the rest when its first span has waited long enough")
    func batches() async throws {
        let collector = try await TestCollector()
        let clock = TestClock()
        let telemetry = try collector.telemetry {
            $0.clock = clock
            $0.maxExportBatchSize = 4
        }
        try await call(telemetry, times: 2)
        try await collector.server.waitForRequests(count: 1)
        #expect(clock.now.offset == .zero)
        await eventually { telemetry.statistics.exportedSpans == 4 }
        try await call(telemetry)
        #expect(try await nextPause(clock) == .seconds(5))
        try await collector.server.waitForRequests(count: 2)
        await eventually { telemetry.statistics.exportedSpans == 6 }
        await telemetry.shutdown()
        #expect(try collector.spans.count == 6)
    }

    @Test("G6 a batch has a limit of bytes")
    func bytes() async throws {
        let collector = try await TestCollector()
        let telemetry = try collector.telemetry { $0.maxExportBatchBytes = 1 }
        try await call(telemetry, times: 3)
        await telemetry.shutdown()
        #expect(collector.bodies("traces").count == 6)
        #expect(telemetry.statistics.exportedSpans == 6)
    }

    @Test("G6 a collector that is unavailable gets the batch again, after pauses that honor Retry-After")
    func retries() async throws {
        let collector = try await TestCollector {
            $0.post("/v1/traces").replies([.status(503), .status(429).field(.retryAfter, "7"), .json([:])])
            $0.any("*").reply(.json([:]))
        }
        let clock = TestClock()
        let diagnostics = Diagnostics()
        let telemetry = try collector.telemetry {
            $0.clock = clock
            $0.diagnostics = diagnostics
        }
        try await call(telemetry)
        #expect(try await nextPause(clock) == .seconds(5))
        let first = try #require(try await nextPause(clock))
        #expect(first <= .seconds(1))
        #expect(telemetry.statistics.lastFailure == "HTTP 503" || telemetry.statistics.lastFailure == "HTTP 429")
        let second = try #require(try await nextPause(clock))
        #expect(second >= .seconds(7) && second < .seconds(8))
        await eventually { telemetry.statistics.exportedSpans == 2 }
        #expect(telemetry.statistics.lastFailure == nil && telemetry.statistics.waitingSpans == 0)
        #expect(collector.bodies("traces").count == 3 && Set(collector.bodies("traces")).count == 1)
        #expect(diagnostics.recent.map(\.store) == [.telemetry])
        #expect(
            diagnostics.recent[0].description.contains(
                "the telemetry collector \(collector.server.url.origin)/v1/traces"))
        await telemetry.shutdown()
    }

    @Test("G6 a flush ends a pause of our own, but not one that the collector asks for")
    func hurry() async throws {
        let clock = TestClock()
        let times = Mutex<[Duration]>([])
        let server = try await MockServer { request in
            guard request.path == "/v1/traces" else { return .json([:]) }
            let count = times.withLock { times in
                times.append(clock.now.offset)
                return times.count
            }
            return count == 1 ? .status(503) : count == 2 ? .status(503).field(.retryAfter, "60") : .json([:])
        }
        let telemetry = try Telemetry(otlp: server.url, service: "tests") {
            $0.clock = clock
            $0.diagnostics = Diagnostics()
            $0.backoff = Backoff(base: .seconds(50), cap: .seconds(50))
        }
        try await call(telemetry)
        // The first pause may begin after a flush, and is then ended by another.
        await eventually {
            Task { await telemetry.flush(within: .seconds(1000)) }
            return times.withLock(\.count) == 2
        }
        #expect(clock.now.offset == .zero)
        await eventually {
            clock.advance(by: .seconds(1))
            Task { await telemetry.flush(within: .seconds(1000)) }
            return telemetry.statistics.exportedSpans == 2
        }
        let exports = times.withLock { $0 }
        #expect(exports.count == 3 && exports[2] >= .seconds(60))
        await telemetry.shutdown()
        await server.stop()
    }

    @Test("G6 what a collector refuses is counted and not sent again")
    func refusals() async throws {
        let partial: JSONValue = ["partialSuccess": ["rejectedSpans": "1", "errorMessage": "too old"]]
        let collector = try await TestCollector {
            $0.post("/v1/traces").replies([.status(400), .status(500), .json(partial)])
            $0.any("*").reply(.json([:]))
        }
        let telemetry = try collector.telemetry()
        for rejected in [2, 4] {
            try await call(telemetry)
            #expect(await telemetry.flush())
            #expect(telemetry.statistics.rejectedSpans == rejected)
        }
        try await call(telemetry)
        #expect(await telemetry.flush())
        #expect(telemetry.statistics.rejectedSpans == 5 && telemetry.statistics.exportedSpans == 1)
        #expect(telemetry.statistics.lastFailure == "too old")
        #expect(collector.bodies("traces").count == 3 && addUp(telemetry.statistics))
        await telemetry.shutdown()
    }

    @Test("G6 calls don't wait for a collector that doesn't answer: what the queue can't hold is dropped and counted")
    func stuck() async throws {
        let collector = try await TestCollector { $0.any("*").reply(.text("x").delayed(by: .seconds(3600))) }
        let telemetry = try collector.telemetry {
            $0.maxQueueSize = 6
            $0.maxExportBatchSize = 2
            // Calls that waited would exceed the time limit of this test.
            $0.exportTimeout = .seconds(3600)
        }
        try await call(telemetry, times: 50)
        let full = telemetry.statistics
        #expect(full.spans == 100 && full.waitingSpans == 6 && full.droppedSpans == 94)
        #expect(await telemetry.flush(within: .milliseconds(20)) == false)
        #expect(await telemetry.shutdown(within: .milliseconds(20)) == false)
        let ended = telemetry.statistics
        #expect(ended.droppedSpans == 100 && ended.waitingSpans == 0 && ended.exportedSpans == 0)
        try await call(telemetry)
        #expect(telemetry.statistics.spans == 102 && telemetry.statistics.droppedSpans == 102)
    }

    @Test("G6 the queue has a limit of bytes too")
    func queueBytes() async throws {
        let collector = try await TestCollector { $0.any("*").reply(.text("x").delayed(by: .seconds(3600))) }
        let telemetry = try collector.telemetry {
            $0.maxQueueBytes = 4000
            $0.scheduledDelay = .seconds(3600)
        }
        try await call(telemetry, times: 50)
        #expect((2...10).contains(telemetry.statistics.waitingSpans) && addUp(telemetry.statistics))
        await telemetry.shutdown(within: .milliseconds(1))
    }

    @Test("G6 a collector that is gone gets the spans when it is back, unless they were dropped")
    func gone() async throws {
        let port = try HeldPort()
        let first = try await TestCollector(.at(port))
        await first.server.stop()
        let telemetry = try first.telemetry {
            $0.maxQueueSize = 10
            $0.backoff = Backoff(base: .milliseconds(10), cap: .milliseconds(20))
        }
        try await call(telemetry, times: 8)
        #expect(await telemetry.flush(within: .milliseconds(50)) == false)
        await eventually { telemetry.statistics.lastFailure == "transport.cannot_connect" }
        let back = try await MockServer(.at(port)) { $0.any("*").reply(.json([:])) }
        #expect(await telemetry.flush(within: .seconds(30)))
        let statistics = telemetry.statistics
        #expect(statistics.exportedSpans == 10 && statistics.droppedSpans == 6 && statistics.lastFailure == nil)
        #expect(back.requests.contains { $0.path == "/v1/traces" })
        await telemetry.shutdown()
        await back.stop()
    }

    @Test("G6 a telemetry that is released exports what it has")
    func release() async throws {
        let collector = try await TestCollector()
        weak var released: Telemetry?
        do {
            let telemetry = try collector.telemetry()
            released = telemetry
            try await call(telemetry)
        }
        try await collector.server.waitForRequests(count: 1)
        #expect(released == nil)
        #expect(try collector.spans.count == 2)
    }

    @Test("G6 exports don't follow redirects, so that the collector's headers go nowhere else")
    func redirects() async throws {
        let other = try await MockServer { $0.any("*").reply(.json([:])) }
        let collector = try await TestCollector {
            $0.any("*").reply(.redirect(to: "\(other.url)v1/traces", status: .temporaryRedirect))
        }
        let telemetry = try collector.telemetry { $0.headers = ["x-team": "feather"] }
        try await call(telemetry)
        await telemetry.shutdown()
        #expect(telemetry.statistics.rejectedSpans == 2 && other.requests.isEmpty)
    }

    @Test("G6 a telemetry over plain HTTP needs this machine or a host that is allowed, and shows no secrets")
    func configuration() throws {
        let transport = transport
        let plain = #expect(throws: NetworkError.self) {
            try Telemetry(otlp: "http://collector.example:4318", service: "a", over: transport)
        }
        #expect(plain?.kind == .insecure(.plaintext(host: "collector.example")))
        let invalid = #expect(throws: NetworkError.self) { try Telemetry(otlp: "collector:4318", service: "a") }
        guard case .invalidURL = invalid?.kind else { return #expect(Bool(false), "\(String(describing: invalid))") }
        _ = try Telemetry(otlp: "http://collector.example:4318", service: "a", over: transport) {
            $0.plaintextHosts = ["collector.example"]
        }
        var options = TelemetryOptions()
        options.headers = ["x-team": "feather"]
        let telemetry = try Telemetry(otlp: "https://collector.example", service: "a", over: transport) { $0 = options }
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!"\(options)".contains("feather") && "\(options)".contains("x-team") && !dumped.contains("feather"))
        for value in [telemetry as Any, telemetry.callMiddleware, telemetry.requestMiddleware] {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!dumped.contains("feather"), "\(dumped)")
        }
    }
}
