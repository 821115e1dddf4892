import BenchKit
import Godwit
import GodwitFleet
import GodwitTelemetry

/// The default client with one feature: what it costs beside the client alone.
enum ObservedClients {
    enum Feature: String {
        /// Spans and metrics.
        case telemetry
        /// Metrics alone: no trace is sampled.
        case metrics
        /// The events of the inspector's page, which are dropped.
        case inspector
        /// A HAR of the latest exchanges.
        case recorder
        /// A rate limit that processes share; it is never reached.
        case fleet
    }

    static func get(
        _ feature: Feature, _ options: BenchOptions, _ transport: any HTTPTransport
    ) async throws -> Exchange {
        let fleet = try await feature == .fleet ? self.fleet(options) : nil
        let telemetry = try telemetry(feature)
        return try Workloads.clientGet(options, transport) {
            switch feature {
            case .telemetry, .metrics: $0.telemetry = telemetry
            case .inspector: $0.inspector = .events { _ in }
            case .recorder: $0.recorder = HARRecorder()
            case .fleet: $0.rateLimit = fleet.map { .shared(.perSecond(1_000_000), in: $0) }
            }
        }
    }

    private static func fleet(_ options: BenchOptions) async throws -> Fleet {
        guard let redis = options.redis else { Program.fail("\(options.mode) needs --redis", status: 2) }
        return try await Fleet(redis: redis, name: "bench")
    }

    /// Its exports are encoded and compressed, and accepted at once.
    private static func telemetry(_ feature: Feature) throws -> Telemetry? {
        guard feature == .telemetry || feature == .metrics else { return nil }
        return try Telemetry(otlp: "http://127.0.0.1:4318", service: "bench", over: AnsweringTransport()) {
            if feature == .metrics { $0.sampling = .traceIDRatio(0) }
        }
    }
}
