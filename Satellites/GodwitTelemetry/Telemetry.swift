import Godwit
public import GodwitCore
import GodwitSupport

/// Exports traces and metrics of clients to an OpenTelemetry collector, by OTLP over HTTP.
///
/// ```swift
/// let telemetry = try Telemetry(otlp: "http://localhost:4318", service: "reader")
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.telemetry = telemetry }
/// …
/// await telemetry.shutdown()
/// ```
///
/// Each call is a span, and each request that it sends is a child span, by OpenTelemetry's conventions for HTTP
/// clients. Several clients can share one telemetry. Calls never wait for the collector: spans wait in a bounded
/// queue, and are dropped and counted if it is full; see ``statistics``. Its reflection is empty, because the header
/// fields for the collector may be secrets.
public final class Telemetry: ClientTelemetry {
    public let callMiddleware: any ChainElement
    public let requestMiddleware: any ChainElement
    private let spans: SpanExporter
    private let metrics: MetricExporter
    private let timeline: Timeline
    /// The engine that this telemetry has created; `nil` if it was given one.
    private let ownClient: APIClient?

    /// Creates a telemetry with an engine of its own.
    ///
    /// - Parameters:
    ///   - url: The base URL of the collector, such as `http://localhost:4318`. Exports go to `v1/traces` and
    ///     `v1/metrics` below it.
    ///   - service: The name of the program: `service.name`.
    ///   - configure: Changes the default options.
    /// - Throws: `.invalidURL`; `.insecure(.plaintext)` for plain HTTP to a host that isn't this machine or in
    ///   ``TelemetryOptions/plaintextHosts``.
    public convenience init(
        otlp url: some HTTPURLConvertible, service: String, _ configure: (inout TelemetryOptions) -> Void = { _ in }
    ) throws(NetworkError) {
        let (url, options) = try Self.checked(url, configure)
        let client = APIClient(baseURL: url, preset: Collector.configuration(options))
        self.init(client, at: url, service, options, owns: true)
    }

    /// Creates a telemetry that exports through a transport, such as a mock in tests.
    ///
    /// - Parameters:
    ///   - url: The base URL of the collector.
    ///   - service: The name of the program: `service.name`.
    ///   - transport: Sends the exports. If it is a client with a telemetry, that ignores them.
    ///   - configure: Changes the default options.
    /// - Throws: The same errors as the other initializer.
    public convenience init(
        otlp url: some HTTPURLConvertible, service: String, over transport: some HTTPTransport,
        _ configure: (inout TelemetryOptions) -> Void = { _ in }
    ) throws(NetworkError) {
        let (url, options) = try Self.checked(url, configure)
        let client = APIClient(baseURL: url, transport: transport, preset: Collector.configuration(options))
        self.init(client, at: url, service, options, owns: false)
    }

    private init(_ client: APIClient, at url: HTTPURL, _ service: String, _ options: TelemetryOptions, owns: Bool) {
        timeline = Timeline(options.clock)
        let collector = Collector(client, at: url, options)
        let resource = Resource(service: service, options.resource)
        let redaction = Redaction(names: options.redactedNames)
        let spans = SpanExporter(
            collector, SpanMessage(resource: resource, redaction: redaction), options, timeline)
        metrics = MetricExporter(collector, MetricMessage(resource: resource), options, timeline) { spans.statistics }
        self.spans = spans
        let recorder = Recorder(spans, metrics, options, timeline)
        callMiddleware = CallObserver(recorder: recorder)
        requestMiddleware = RequestObserver(recorder: recorder)
        ownClient = owns ? client : nil
    }

    deinit {
        spans.close()
        metrics.close()
    }

    private static func checked(
        _ url: some HTTPURLConvertible, _ configure: (inout TelemetryOptions) -> Void
    ) throws(NetworkError) -> (HTTPURL, TelemetryOptions) {
        var options = TelemetryOptions()
        configure(&options)
        let place = try HTTPRequest(url: url).url
        guard place.origin.isConfidential || options.plaintextHosts.contains(place.host) else {
            throw NetworkError(.insecure(.plaintext(host: place.host)), phase: .building)
        }
        return (place, options.checked)
    }
}

extension Telemetry {
    /// What became of the exports so far.
    public var statistics: TelemetryStatistics {
        var statistics = spans.statistics
        let report = metrics.report
        statistics.lastMetricFailure = report.failure
        statistics.lastWarning = report.warning ?? statistics.lastWarning
        return statistics
    }

    public func attach(_ gauges: ClientGauges) {
        metrics.attach(gauges)
    }

    /// Exports now what was recorded so far, for example before a program is suspended.
    ///
    /// - Parameter limit: How long to wait, by the clock of the options. 5 seconds by default.
    /// - Returns: Whether the collector has accepted or refused all of it; see ``statistics`` for what it refused. `false`
    ///   if the limit passed, spans were dropped, or metrics couldn't be exported.
    @discardableResult
    public func flush(within limit: Duration = .seconds(5)) async -> Bool {
        await isExported(spans.startFlush(), within: limit, isLast: false)
    }

    private func isExported(_ mark: SpanQueue.Mark, within limit: Duration, isLast: Bool) async -> Bool {
        await isDone(within: limit) { [self] in
            async let areExported = spans.isExported(mark)
            // Metrics also count the spans that were exported or dropped, so they come last, with the rest of the time.
            _ = await isDone(within: limit * 3 / 4) { [spans] in await spans.isExported(mark) }
            let isDone = await metrics.flush(isLast: isLast)
            return await areExported && isDone
        }
    }

    private func isDone(within limit: Duration, _ work: @escaping @Sendable () async -> Bool) async -> Bool {
        let waiter = Waiter<Bool>()
        let task = Task { waiter.resume(returning: await work()) }
        let timer = Task { [timeline] in
            if (try? await timeline.sleep(for: limit)) != nil { waiter.resume(returning: false) }
        }
        defer {
            task.cancel()
            timer.cancel()
        }
        return await waiter.value { waiter.resume(returning: false) }
    }

    /// Exports what was recorded so far, and stops. Later spans are dropped and counted.
    ///
    /// Call it at the end of a program: what still waits is lost otherwise. Clients continue to work.
    ///
    /// - Parameter limit: How long to wait, by the clock of the options. 5 seconds by default. What is not exported
    ///   then is dropped and counted.
    /// - Returns: Whether the collector has accepted or refused everything.
    @discardableResult
    public func shutdown(within limit: Duration = .seconds(5)) async -> Bool {
        let mark = spans.startFlush()
        spans.close()
        let isDone = await isExported(mark, within: limit, isLast: true)
        metrics.close()
        spans.abandon()
        // The export in progress was canceled, and ends soon.
        _ = await self.isDone(within: .seconds(10)) { [spans] in await spans.isExported(mark) }
        await ownClient?.shutdown(.cancelling)
        return isDone
    }
}

extension Telemetry: CustomReflectable {
    /// Shows nothing, as the options can contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ClientTelemetry where Self == Telemetry {
    /// Exports traces and metrics to an OpenTelemetry collector.
    ///
    /// ```swift
    /// let api = try APIClient(baseURL: "https://api.example.com/v1") {
    ///     $0.telemetry = try .otlp("http://localhost:4318", service: "reader")
    /// }
    /// ```
    ///
    /// To flush, shut down or count what was dropped, create a ``Telemetry`` and keep it.
    ///
    /// - Parameters:
    ///   - url: The base URL of the collector, such as `http://localhost:4318`.
    ///   - service: The name of the program: `service.name`.
    ///   - configure: Changes the default options.
    /// - Throws: The errors of ``Telemetry/init(otlp:service:_:)``.
    public static func otlp(
        _ url: some HTTPURLConvertible, service: String, _ configure: (inout TelemetryOptions) -> Void = { _ in }
    ) throws(NetworkError) -> Telemetry {
        try Telemetry(otlp: url, service: service, configure)
    }
}
