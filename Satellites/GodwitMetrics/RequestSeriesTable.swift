#if Metrics
import GodwitCore
import Metrics
import Synchronization

/// The metrics of requests by their dimensions, up to a limit: a program whose URLs have many hosts must not fill its
/// backend.
final class RequestSeriesTable: Sendable {
    /// The metrics of requests that end alike.
    struct Series: Sendable {
        let duration: Timer
        let sent: Recorder
        let received: Recorder
    }

    private struct State {
        var series: [[String]: Series] = [:]
        var active: [[String]: Meter] = [:]
    }

    private let factory: any MetricsFactory
    private let limit: Int
    private let state = Mutex(State())

    private static let overflow = [("otel.metric.overflow", "true")]

    init(_ factory: any MetricsFactory, limit: Int) {
        self.factory = factory
        self.limit = limit
    }

    /// The number of requests in progress to this origin.
    func active(_ request: HTTPRequest) -> Meter {
        let dimensions = Self.dimensions(of: request)
        let key = dimensions.map(\.1)
        return state.withLock { state in
            if let meter = state.active[key] { return meter }
            let isFull = state.active.count >= limit
            let meter = Meter(
                label: "http.client.active_requests", dimensions: isFull ? Self.overflow : dimensions, factory: factory)
            if !isFull { state.active[key] = meter }
            return meter
        }
    }

    /// The metrics of requests that ended like this one.
    func series(_ request: HTTPRequest, _ outcome: CallOutcome) -> Series {
        let dimensions = Self.dimensions(of: request) + Self.dimensions(of: outcome, request)
        let key = dimensions.flatMap { [$0.0, $0.1] }
        return state.withLock { state in
            if let series = state.series[key] { return series }
            let isFull = state.series.count >= limit
            let series = makeSeries(isFull ? Self.overflow : dimensions)
            if !isFull { state.series[key] = series }
            return series
        }
    }

    private func makeSeries(_ dimensions: [(String, String)]) -> Series {
        Series(
            duration: Timer(label: "http.client.request.duration", dimensions: dimensions, factory: factory),
            sent: Recorder(
                label: "http.client.request.body.size", dimensions: dimensions, aggregate: true, factory: factory),
            received: Recorder(
                label: "http.client.response.body.size", dimensions: dimensions, aggregate: true, factory: factory))
    }

    private static func dimensions(of request: HTTPRequest) -> [(String, String)] {
        let origin = request.url.origin
        return [
            ("http.request.method", request.method.label(among: HTTPMethod.wellKnown)),
            ("server.address", origin.address), ("server.port", String(origin.port)),
            ("url.scheme", origin.scheme.rawValue),
        ]
    }

    private static func dimensions(of outcome: CallOutcome, _ request: HTTPRequest) -> [(String, String)] {
        var all: [(String, String)] = []
        if let template = request.options.urlTemplate { all.append(("url.template", template)) }
        switch outcome {
        case .success(let response):
            let status = response.head.status.code
            all.append(("http.response.status_code", String(status)))
            if status >= 400 { all.append(("error.type", String(status))) }
            if let version = response.metrics.protocolVersion {
                all.append(("network.protocol.version", version.number))
            }
        case .failure(let error):
            if let status = error.response?.status { all.append(("http.response.status_code", String(status.code))) }
            all.append(("error.type", error.shortDescription))
        }
        return all
    }
}
#endif
