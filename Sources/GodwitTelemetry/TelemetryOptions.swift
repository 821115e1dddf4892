public import GodwitCore

/// How a ``Telemetry`` samples, names itself and exports.
///
/// ```swift
/// $0.telemetry = try .otlp("https://otlp.example.com", service: "reader") {
///     $0.headers["api-key"] = key
///     $0.sampling = .ratio(0.1)
/// }
/// ```
///
/// Its description shows no header values.
public struct TelemetryOptions: Sendable, Nonisolated {
    /// The encoding of exports.
    public enum Encoding: Sendable, Hashable {
        /// Protocol Buffers. Smaller; every collector reads it.
        case protobuf
        /// JSON, for people and proxies that read along.
        case json
    }

    /// Which traces are recorded. A trace that comes from elsewhere, such as ``Tracing/current``, keeps its decision.
    /// Metrics count every call.
    public enum Sampling: Sendable, Hashable {
        /// Every trace.
        case always
        /// No trace. Requests carry a `traceparent` that says so.
        case never
        /// This share of traces, from 0 to 1. The ID decides, so that other services with the same rule agree.
        case ratio(Double)
    }

    /// ``Encoding/protobuf`` by default.
    public var encoding = Encoding.protobuf

    /// gzip by default, for exports of at least 1 KiB.
    public var compression = ContentCompression.gzip(minimumSize: 1024)

    /// Header fields for the collector, such as an API key. Their values are never logged. Empty by default.
    public var headers: HTTPFields = [:]

    /// Attributes of the program, such as `service.version` and `deployment.environment.name`. Empty by default.
    public var resource: [String: String] = [:]

    /// ``Sampling/always`` by default.
    public var sampling = Sampling.always

    /// How many spans are sent together at most. 512 by default.
    public var batchCount = 512

    /// How many bytes of spans are sent together, about. 512 KiB by default.
    public var batchBytes = 512 << 10

    /// How long a span waits for others. 5 seconds by default.
    public var batchDelay = Duration.seconds(5)

    /// How many spans wait for the collector at most. Further ones are dropped and counted. 4,096 by default.
    public var queueCount = 4096

    /// How many bytes of spans wait for the collector at most, about. 8 MiB by default.
    public var queueBytes = 8 << 20

    /// How often metrics are exported. One minute by default.
    public var metricInterval = Duration.seconds(60)

    /// How many series each metric has at most. Requests with further attributes share one series, which has the
    /// attribute `otel.metric.overflow`. 2,000 by default.
    public var seriesLimit = 2000

    /// The time limit of one export. 10 seconds by default.
    public var exportTimeout = Duration.seconds(10)

    /// The pauses while the collector can't be reached. At most 30 seconds by default; its `Retry-After` takes
    /// precedence.
    public var backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(30))

    /// Query items whose values are redacted in `url.full`, in addition to names that look secret. Case-insensitive.
    public var redactedNames: Set<String> = []

    /// The hosts, as names or addresses, that get exports over plain HTTP, in addition to this machine. Empty by
    /// default.
    public var plaintextHosts: Set<String> = []

    /// Receives a report if the collector can't be used. ``Diagnostics/shared`` by default.
    public var diagnostics = Diagnostics.shared

    /// Measures durations, pauses and intervals.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Provides the time of day at which spans start.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates the default options.
    public init() {}
}

extension TelemetryOptions: CustomStringConvertible, CustomReflectable {
    /// The options without secrets.
    public var description: String {
        "TelemetryOptions(\(encoding), \(sampling), headers: \(headers.map(\.name.description).sorted()))"
    }

    /// The same, so that reflection shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["options": description]) }
}

extension TelemetryOptions {
    /// The options with values that can work.
    var checked: TelemetryOptions {
        var options = self
        options.batchCount = max(1, batchCount)
        options.batchBytes = max(1, batchBytes)
        options.batchDelay = max(.zero, batchDelay)
        options.queueCount = max(1, queueCount)
        options.queueBytes = max(1, queueBytes)
        options.metricInterval = max(.milliseconds(100), metricInterval)
        options.seriesLimit = max(1, seriesLimit)
        options.exportTimeout = max(.milliseconds(1), exportTimeout)
        return options
    }
}

extension TelemetryOptions.Sampling {
    /// Whether a new trace is recorded.
    ///
    /// Compares the last seven bytes of the ID, which are random (W3C Trace Context level 2).
    func samples(_ traceID: String) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .ratio(let share):
            guard let number = UInt64(traceID.suffix(14), radix: 16) else { return false }
            return Double(number) < share * 0x1p56
        }
    }
}
