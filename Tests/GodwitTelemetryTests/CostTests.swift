#if canImport(Glibc)
import Glibc
import Godwit
import GodwitTelemetry
import GodwitTesting
import Testing

/// What observing costs a call, by the processor time of this process. Run alone: `script/test --soak --filter
/// CostTests`.
@Suite(
    "The cost of telemetry", .timeLimit(.minutes(15)),
    .enabled(if: ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil, "needs script/test --soak"))
struct CostTests {
    private static var processorTime: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        return seconds + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    /// Microseconds for each call, the exports included.
    private func cost(_ url: HTTPURL, _ transport: any HTTPTransport, _ telemetry: Telemetry?) async throws -> Double {
        let api = APIClient(baseURL: url, transport: transport) { $0.telemetry = telemetry }
        let count = 20_000
        for number in 0..<100 { _ = try await api.send(Endpoint<Data>.get("articles/\(number)")) }
        let start = Self.processorTime
        for number in 0..<count { _ = try await api.send(Endpoint<Data>.get("articles/\(number)")) }
        await telemetry?.flush()
        return (Self.processorTime - start) / Double(count) * 1e6
    }

    private func compare(_ url: HTTPURL, _ transport: any HTTPTransport, _ name: String) async throws {
        let off = try await cost(url, transport, nil)
        var costs: [Double] = []
        for sampling in [TelemetryOptions.Sampling.alwaysOn, .alwaysOff] {
            let telemetry = try Telemetry(otlp: "https://collector.example", service: "cost", over: Immediate()) {
                $0.sampling = sampling
                $0.maxQueueSize = 100_000
                $0.maxQueueBytes = 1 << 30
            }
            costs.append(try await cost(url, transport, telemetry))
            #expect(telemetry.statistics.droppedSpans == 0)
            await telemetry.shutdown()
        }
        let ratios = costs.map { "\(($0 / off * 100).rounded() / 100)" }
        print(
            "\(name): \(off.rounded()) µs for each call; with spans \(costs[0].rounded()) (\(ratios[0]) times),",
            "with metrics alone \(costs[1].rounded()) (\(ratios[1]) times)")
    }

    @Test("G6 the cost of spans and metrics is measured, and no span is dropped")
    func cost() async throws {
        try await compare(HTTPURL("https://api.example.com"), Immediate(), "the chain alone")
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        try await compare(server.url, try SocketTransport(), "over a socket, with the server")
    }
}
#endif
