/// What became of the exports of a ``Telemetry``.
///
/// ```swift
/// print(telemetry.statistics.droppedSpans, telemetry.statistics.lastFailure ?? "")
/// ```
///
/// Each span is in exactly one place: `spans` is the sum of the exported, dropped, rejected and waiting ones.
public struct TelemetryStatistics: Sendable, Hashable {
    /// The number of recorded spans.
    public internal(set) var spans = 0

    /// The number of spans that the collector has accepted.
    public internal(set) var exportedSpans = 0

    /// The number of spans that were dropped: the queue was full, the collector accepted nothing for too long, or the
    /// telemetry was shut down first.
    public internal(set) var droppedSpans = 0

    /// The number of spans that the collector has refused.
    public internal(set) var rejectedSpans = 0

    /// The number of spans that wait for export, or are being exported.
    public internal(set) var waitingSpans = 0

    /// Why the latest export of spans failed, such as `HTTP 503` or `transport.cannot_connect`. `nil` if it didn't.
    public internal(set) var lastFailure: String?

    /// Why the latest export of metrics failed. `nil` if it didn't.
    public internal(set) var lastMetricFailure: String?

    /// The latest warning of the collector: what it said of an export that it accepted in full. `nil` if there is none.
    public internal(set) var lastWarning: String?

    /// Creates statistics of zero.
    public init() {}
}
