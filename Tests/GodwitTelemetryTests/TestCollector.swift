import Godwit
import GodwitTelemetry
import GodwitTesting

/// A collector on a real socket, which reads what was exported as JSON.
struct TestCollector: Sendable {
    let server: MockServer

    init(
        _ options: MockServer.Options = MockServer.Options(), _ routes: ((MockRoutes) -> Void)? = nil
    ) async throws {
        server = try await MockServer(options, routes: routes ?? { $0.any("*").reply(.json([:])) })
    }

    /// A telemetry that exports to it, as JSON without compression, and doesn't report failures to the process.
    func telemetry(_ configure: (inout TelemetryOptions) -> Void = { _ in }) throws -> Telemetry {
        try Telemetry(otlp: server.url, service: "tests") {
            $0.encoding = .json
            $0.compression = .off
            $0.diagnostics = Diagnostics()
            configure(&$0)
        }
    }

    /// The bodies of one signal, in order.
    func bodies(_ signal: String) -> [Data] {
        server.requests.filter { $0.path == "/v1/\(signal)" }.map(\.body)
    }

    var spans: [ExportedSpan] {
        get throws {
            try bodies("traces").flatMap { try JSONDecoder().decode(TraceExport.self, from: $0).spans }
        }
    }

    /// The metrics of the last export, by name.
    var metrics: [String: ExportedMetric] {
        get throws {
            guard let body = bodies("metrics").last else { return [:] }
            let metrics = try JSONDecoder().decode(MetricExport.self, from: body).metrics
            return Dictionary(uniqueKeysWithValues: metrics.map { ($0.name, $0) })
        }
    }
}

struct ExportedAttribute: Decodable {
    struct Value: Decodable {
        var stringValue: String?
        var intValue: String?
        var boolValue: Bool?
    }

    let key: String
    let value: Value
}

extension ExportedAttribute.Value {
    var text: String { stringValue ?? intValue ?? boolValue.map { "\($0)" } ?? "" }
}

extension [ExportedAttribute] {
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: map { ($0.key, $0.value.text) })
    }
}

struct ExportedSpan: Decodable {
    struct Status: Decodable {
        let code: Int
        var message: String?
    }

    let traceId: String
    let spanId: String
    var parentSpanId: String?
    let name: String
    let kind: Int
    let startTimeUnixNano: String
    let endTimeUnixNano: String
    let attributes: [ExportedAttribute]
    var status: Status?

    var isCall: Bool { kind == 1 }
    subscript(key: String) -> String? { attributes.texts[key] }
}

struct TraceExport: Decodable {
    struct Resource: Decodable { let attributes: [ExportedAttribute] }
    struct Scope: Decodable { let spans: [ExportedSpan] }
    struct Spans: Decodable {
        let resource: Resource
        let schemaUrl: String
        let scopeSpans: [Scope]
    }

    let resourceSpans: [Spans]

    var spans: [ExportedSpan] { resourceSpans.flatMap { $0.scopeSpans.flatMap(\.spans) } }
}

struct ExportedMetric: Decodable {
    struct Point: Decodable {
        var asInt: String?
        var count: String?
        var sum: Double?
        var bucketCounts: [String]?
        var explicitBounds: [Double]?
        var startTimeUnixNano: String?
        var timeUnixNano: String?
        let attributes: [ExportedAttribute]
    }

    struct Points: Decodable {
        let dataPoints: [Point]
        let aggregationTemporality: Int
        var isMonotonic: Bool?
    }

    let name: String
    let unit: String
    var sum: Points?
    var histogram: Points?

    var points: [Point] { (sum ?? histogram)?.dataPoints ?? [] }

    /// The value of the point with an attribute; of the only point without one.
    func value(_ key: String? = nil, _ text: String = "") -> Int? {
        points.first { key == nil || $0.attributes.texts[key ?? ""] == text }.flatMap {
            Int($0.asInt ?? $0.count ?? "")
        }
    }
}

struct MetricExport: Decodable {
    struct Scope: Decodable { let metrics: [ExportedMetric] }
    struct Metrics: Decodable { let scopeMetrics: [Scope] }

    let resourceMetrics: [Metrics]

    var metrics: [ExportedMetric] { resourceMetrics.flatMap { $0.scopeMetrics.flatMap(\.metrics) } }
}
