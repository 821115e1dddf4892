#if Metrics
public import GodwitCore
public import Metrics

/// Reports the metrics of clients to swift-metrics.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.telemetry = MetricsTelemetry() }
/// ```
///
/// The names and dimensions are those of GodwitTelemetry, by OpenTelemetry's conventions for HTTP clients. Durations
/// are timers, sizes are recorders, counts that fall are meters.
///
/// Several clients can share one. Gauges, such as the number of open connections, are read at an interval.
/// A client with telemetry writes `traceparent` fields; `$0.traceFields = TraceFields { _ in false }` turns them off.
public final class MetricsTelemetry: ClientTelemetry {
    public let callMiddleware: any ChainElement
    public let requestMiddleware: any ChainElement
    private let sampler: GaugeSampler

    /// Creates a telemetry that reports to the metrics of a factory.
    ///
    /// - Parameters:
    ///   - factory: Makes the metrics. The program's by default.
    ///   - interval: The time between two readings of the gauges. 10 seconds by default.
    ///   - seriesLimit: The number of different dimensions that are told apart. Requests of others share the dimension
    ///     `otel.metric.overflow`.
    ///   - clock: Measures durations, and waits for the interval.
    public init(
        factory: any MetricsFactory = MetricsSystem.factory, interval: Duration = .seconds(10),
        seriesLimit: Int = 1000, clock: any Clock<Duration> = ContinuousClock()
    ) {
        callMiddleware = CallMeter(factory)
        requestMiddleware = RequestMeter(RequestSeriesTable(factory, limit: seriesLimit), clock)
        sampler = GaugeSampler(factory, interval, clock)
    }

    deinit {
        sampler.stop()
    }

    public func attach(_ gauges: ClientGauges) {
        sampler.add(gauges)
    }
}
#endif
