public import GodwitCore

/// How a ``Telemetry`` samples, names itself and exports.
///
/// ```swift
/// $0.telemetry = try .otlp("https://otlp.example.com", service: "reader") {
///     $0.headers["api-key"] = key
///     $0.sampling = .traceIDRatio(0.1)
/// }
/// ```
///
/// Its description shows no header values.
public struct TelemetryOptions: Sendable, Nonisolated {
    /// The encoding of exports: Protocol Buffers or JSON.
    public enum Encoding: Sendable, Hashable {
        /// Protocol Buffers. Smaller; every collector reads it.
        case protobuf
        /// JSON, for people and proxies that read along.
        case json
    }

    /// The kind of data that is exported.
    public enum Signal: String, Sendable, Hashable, CaseIterable {
        /// Spans of calls and requests.
        case traces
        /// Metrics: histograms, sums and gauges.
        case metrics
    }

    /// Which traces are recorded. A trace that comes from elsewhere, such as `Tracing.current`, keeps its decision.
    /// Metrics count every call.
    public enum Sampling: Sendable, Hashable {
        /// Records every trace.
        case alwaysOn
        /// Records no trace. Requests carry a `traceparent` that says so.
        case alwaysOff
        /// This share of traces, from 0 to 1. The ID decides by OpenTelemetry's consistent probability sampling, so that
        /// other services with the same share agree.
        case traceIDRatio(Double)
    }

    /// The data to export: both kinds by default. For a backend that takes only traces, set `[.traces]`.
    public var signals: Set<Signal> = [.traces, .metrics]

    /// The encoding of exports. ``Encoding/protobuf`` by default.
    public var encoding = Encoding.protobuf

    /// The compression of exports: gzip by default, from 1 KiB, at its fastest level, as spans repeat themselves.
    public var compression = ContentCompression.gzip(minimumSize: 1024, level: 1)

    /// Header fields for the collector, such as an API key. Their values are never logged. Empty by default.
    public var headers: HTTPFields = [:]

    /// Attributes of the program, such as `service.version` and `deployment.environment.name`. Empty by default.
    ///
    /// `service.instance.id` is a new UUID for each ``Telemetry`` unless it is set here.
    public var resource: [String: String] = [:]

    /// The traces that are recorded. ``Sampling/alwaysOn`` by default.
    public var sampling = Sampling.alwaysOn

    /// The values of `http.request.method`; other methods are `_OTHER`. By default the methods of RFC 9110, PATCH and
    /// QUERY.
    public var knownMethods: Set<HTTPMethod> = HTTPMethod.wellKnown

    /// How many spans are sent together at most. 512 by default.
    public var maxExportBatchSize = 512

    /// How many bytes of spans are sent together, about. 512 KiB by default.
    public var maxExportBatchBytes = 512 << 10

    /// How long a span waits for others. 5 seconds by default.
    public var scheduledDelay = Duration.seconds(5)

    /// How many spans wait for the collector at most. Further ones are dropped and counted. 4,096 by default.
    public var maxQueueSize = 4096

    /// How many bytes of spans wait for the collector at most, about. 8 MiB by default.
    public var maxQueueBytes = 8 << 20

    /// How often metrics are exported. One minute by default.
    public var metricExportInterval = Duration.seconds(60)

    /// How many series each metric has at most. Requests with further attributes share one series, which has the
    /// attribute `otel.metric.overflow`. 2,000 by default.
    public var cardinalityLimit = 2000

    /// The time limit of one export. 10 seconds by default.
    public var exportTimeout = Duration.seconds(10)

    /// How long spans are sent again while the collector can't be reached or doesn't answer in time. After that, they are
    /// dropped and counted, and the next ones are sent. 5 minutes by default.
    public var maxRetryTime = Duration.seconds(300)

    /// The pauses while the collector can't be reached. At most 30 seconds by default; its `Retry-After` takes
    /// precedence.
    public var backoff = Backoff(base: .seconds(1), factor: 2, cap: .seconds(30))

    /// The maximum `Retry-After` of the collector to wait for; if it asks for more, the next export follows after this
    /// time. One hour by default.
    public var longestRetryAfter = RetryPause.longestInBackground

    /// Query items whose values are redacted in `url.full`, in addition to names that look secret. Case-insensitive.
    public var redactedNames: Set<String> = []

    /// The hosts, as names or addresses, that get exports over plain HTTP, in addition to this machine. Empty by
    /// default.
    public var plaintextHosts: Set<String> = []

    /// Receives a report if exports of a signal fail, once for each. `Diagnostics.shared` by default.
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

    /// Shows the description only, so that reflection shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["options": description]) }
}

extension TelemetryOptions {
    /// The options with values that can work.
    var checked: TelemetryOptions {
        var options = self
        options.maxExportBatchSize = max(1, maxExportBatchSize)
        options.maxExportBatchBytes = max(1, maxExportBatchBytes)
        options.scheduledDelay = max(.zero, scheduledDelay)
        options.maxQueueSize = max(1, maxQueueSize)
        options.maxQueueBytes = max(1, maxQueueBytes)
        options.metricExportInterval = max(.milliseconds(100), metricExportInterval)
        options.cardinalityLimit = max(1, cardinalityLimit)
        options.maxRetryTime = max(.zero, maxRetryTime)
        options.exportTimeout = max(.milliseconds(1), exportTimeout)
        return options
    }
}

extension TelemetryOptions.Sampling {
    /// Whether a new trace is recorded.
    ///
    /// Compares the last seven bytes of the ID, which are random (W3C Trace Context level 2).
    func samples(_ traceID: @autoclosure () -> String) -> Bool {
        switch self {
        case .alwaysOn: return true
        case .alwaysOff: return false
        case .traceIDRatio(let share):
            guard share > 0, let randomness = UInt64(traceID().suffix(14), radix: 16) else { return false }
            return randomness >= UInt64(((1 - min(share, 1)) * 0x1p56).rounded())
        }
    }
}
