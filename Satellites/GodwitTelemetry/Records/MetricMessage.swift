import GodwitCore

/// What is exported of all metrics at one moment.
struct MetricSnapshot: Sendable {
    let table: MetricTable
    let clients: ClientGauges.Counts
    let spans: TelemetryStatistics
    let start: UInt64
    let time: UInt64
}

/// Writes metrics as OTLP's `ExportMetricsServiceRequest`. All sums are since the start (cumulative temporality).
struct MetricMessage: ExportMessage {
    static var signal: TelemetryOptions.Signal { .metrics }

    let resource: Resource

    func write<Writer: MessageWriter>(_ snapshot: MetricSnapshot, as format: Writer.Type) -> Data {
        let metrics = snapshot.metrics
        var writer = Writer()
        writer.message(list: 1, "resourceMetrics") { writer in
            resource.write(to: &writer, scopes: "scopeMetrics") { writer in
                writer.messages(2, "metrics", metrics) { $1.write(to: &$0, snapshot) }
            }
        }
        return Data(writer.bytes)
    }
}

/// One metric with its data points.
struct Metric: Sendable {
    enum Points: Sendable {
        case histograms([(Histogram, [Attribute])])
        /// A count that only grows.
        case counters([(Int64, [Attribute])])
        /// A count that also falls.
        case levels([(Int64, [Attribute])])

        var isEmpty: Bool {
            switch self {
            case .histograms(let points): points.isEmpty
            case .counters(let points), .levels(let points): points.isEmpty
            }
        }
    }

    let name: String
    let unit: String
    let points: Points

    private static let cumulative: UInt32 = 2

    func write(to writer: inout some MessageWriter, _ snapshot: MetricSnapshot) {
        writer.string(1, "name", name)
        writer.string(3, "unit", unit)
        switch points {
        case .histograms(let points):
            writer.message(9, "histogram") { writer in
                writer.messages(1, "dataPoints", points) { writer, point in
                    Self.writeTimes(snapshot, to: &writer)
                    point.0.write(to: &writer)
                    writer.attributes(9, point.1)
                }
                writer.enumeration(2, "aggregationTemporality", Self.cumulative)
            }
        case .counters(let points): writeSum(points, isMonotonic: true, to: &writer, snapshot)
        case .levels(let points): writeSum(points, isMonotonic: false, to: &writer, snapshot)
        }
    }

    private func writeSum(
        _ points: [(Int64, [Attribute])], isMonotonic: Bool, to writer: inout some MessageWriter,
        _ snapshot: MetricSnapshot
    ) {
        writer.message(7, "sum") { writer in
            writer.messages(1, "dataPoints", points) { writer, point in
                Self.writeTimes(snapshot, to: &writer)
                writer.sfixed64(6, "asInt", point.0)
                writer.attributes(7, point.1)
            }
            writer.enumeration(2, "aggregationTemporality", Self.cumulative)
            if isMonotonic { writer.bool(3, "isMonotonic", true) }
        }
    }

    private static func writeTimes(_ snapshot: MetricSnapshot, to writer: inout some MessageWriter) {
        writer.fixed64(2, "startTimeUnixNano", snapshot.start)
        writer.fixed64(3, "timeUnixNano", snapshot.time)
    }
}

extension MetricSnapshot {
    /// Those that have a value.
    var metrics: [Metric] {
        (requestMetrics + callMetrics + ownMetrics).filter { !$0.points.isEmpty }
    }

    private var requestMetrics: [Metric] {
        let rows = table.requests.rows.map { ($0.value, $0.series?.attributes ?? Self.overflow) }
        return [
            Metric(
                name: "http.client.request.duration", unit: "s",
                points: .histograms(rows.map { ($0.0.duration, $0.1) })),
            Metric(
                name: "http.client.request.body.size", unit: "By",
                points: .histograms(rows.filter { $0.0.sent.count > 0 }.map { ($0.0.sent, $0.1) })),
            Metric(
                name: "http.client.response.body.size", unit: "By",
                points: .histograms(rows.filter { $0.0.received.count > 0 }.map { ($0.0.received, $0.1) })),
            Metric(
                name: "http.client.active_requests", unit: "{request}",
                points: .levels(table.active.rows.map { ($0.value, $0.series?.attributes ?? Self.overflow) })),
        ]
    }

    private var callMetrics: [Metric] {
        var metrics = [
            Metric(
                name: "godwit.client.calls", unit: "{call}",
                points: .counters(
                    table.calls.sorted { $0.key < $1.key }.map { ($0.value, [Attribute("godwit.call.source", $0.key)]) }
                )),
            Metric(name: "godwit.client.active_calls", unit: "{call}", points: .levels([(table.activeCalls, [])])),
            Metric(
                name: "godwit.client.waiting_calls", unit: "{call}",
                points: .levels([
                    (Int64(clients.waitingCalls), [Attribute("godwit.queue", "concurrency")]),
                    (Int64(clients.throttledCalls), [Attribute("godwit.queue", "rate_limit")]),
                ])),
            Metric(
                name: "godwit.client.token_refreshes", unit: "{refresh}",
                points: .counters([(Int64(clients.tokenRefreshes), [])])),
        ]
        guard let connections = clients.connections else { return metrics }
        metrics.append(
            Metric(
                name: "http.client.open_connections", unit: "{connection}",
                points: .levels([
                    (Int64(connections.open - connections.idle), [Attribute("http.connection.state", "active")]),
                    (Int64(connections.idle), [Attribute("http.connection.state", "idle")]),
                ])))
        metrics.append(
            Metric(
                name: "godwit.client.connecting_requests", unit: "{request}",
                points: .levels([(Int64(connections.waiting), [])])))
        return metrics
    }

    /// What became of the spans, so that a collector shows what it doesn't get.
    private var ownMetrics: [Metric] {
        [
            Metric(
                name: "godwit.telemetry.spans", unit: "{span}",
                points: .counters([
                    (Int64(spans.exportedSpans), [Attribute("godwit.span.result", "exported")]),
                    (Int64(spans.droppedSpans), [Attribute("godwit.span.result", "dropped")]),
                    (Int64(spans.rejectedSpans), [Attribute("godwit.span.result", "rejected")]),
                ]))
        ]
    }

    private static let overflow = [Attribute("otel.metric.overflow", true)]
}
