#if canImport(Glibc)
import Godwit
import GodwitTelemetry
import GodwitTesting
import PeerSupport
import Synchronization
import TestSupport
import Testing

/// Many spans, while the collector is killed and started again. `script/test --soak` makes 100,000.
@Suite("A collector that comes and goes", .timeLimit(.minutes(15)))
struct SoakTests {
    private static let soaks = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil

    /// The spans that a collector got, each by a part of its ID.
    private final class Received: Sendable {
        private let ids = Mutex<(all: Set<UInt64>, twice: Int)>(([], 0))

        var counts: (distinct: Int, twice: Int) { ids.withLock { ($0.all.count, $0.twice) } }

        func read(_ body: Data) throws {
            let spans = try JSONDecoder().decode(TraceExport.self, from: body).spans
            ids.withLock { ids in
                for span in spans where !ids.all.insert(UInt64(span.spanId, radix: 16) ?? 0).inserted { ids.twice += 1 }
            }
        }
    }

    private func collector(_ port: HeldPort, _ received: Received) async throws -> MockServer {
        var options = MockServer.Options.at(port)
        options.recordLimit = 0
        return try await MockServer(options) { request in
            if request.path == "/v1/traces" { try received.read(request.body) }
            return .json([:])
        }
    }

    /// Two spans for each call, from eight tasks.
    private func makeSpans(_ count: Int, _ api: APIClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<(count / 16) { _ = try await api.send(Endpoint<Data>.get("articles/\(number)")) }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("G6 every span is exported or counted as dropped, in bounded memory, while the collector comes and goes")
    func soak() async throws {
        let received = Received()
        let port = try HeldPort()
        var server = try await collector(port, received)
        let telemetry = try Telemetry(otlp: server.url, service: "soak") {
            $0.compression = .off
            $0.encoding = .json
            $0.diagnostics = Diagnostics()
            $0.backoff = Backoff(base: .milliseconds(20), cap: .milliseconds(100))
            $0.maxQueueSize = Self.soaks ? 4096 : 512
            $0.maxExportBatchSize = 256
        }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: Immediate()) { $0.telemetry = telemetry }
        let part = Self.soaks ? 10_048 : 1600
        let before = Usage.now().memory
        var most = 0
        for round in 0..<5 {
            for piece in 0..<4 {
                try await makeSpans(part / 4, api)
                most = max(most, Usage.now().memory - before)
                // In every other round, the collector is killed with exports in progress.
                if piece < 3 || round % 2 == 0 { await telemetry.flush(within: .seconds(60)) }
            }
            #expect(telemetry.statistics.exportedSpans >= part * (round + 1) - part / 4)
            await server.stop()
            try await makeSpans(part, api)
            most = max(most, Usage.now().memory - before)
            server = try await collector(port, received)
            #expect(await telemetry.flush(within: .seconds(60)))
        }
        #expect(await telemetry.shutdown(within: .seconds(60)))
        await server.stop()
        let end = telemetry.statistics
        let counts = received.counts
        print(
            "\(end.spans) spans: \(end.exportedSpans) exported, \(end.droppedSpans) dropped; the collector has",
            "\(counts.distinct), \(counts.twice) of them twice; at most \(most >> 10) KiB more resident memory")
        #expect(end.spans == part * 10 && end.rejectedSpans == 0 && end.waitingSpans == 0)
        #expect(end.spans == end.exportedSpans + end.droppedSpans && end.droppedSpans > 0)
        // A collector that was killed before it could answer got spans twice, but none is missing.
        #expect(counts.distinct == end.exportedSpans)
        if Self.soaks { #expect(most < 128 << 20) }
    }
}

/// Answers at once and keeps nothing.
struct Immediate: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        HTTPResponse(head: HTTPResponseHead(status: .ok), body: "x", request: request)
    }
}
#endif
