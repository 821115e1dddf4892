import Godwit
import GodwitTelemetry
import GodwitTesting
import Testing

@Suite("Telemetry from OpenTelemetry's environment variables", .timeLimit(.minutes(15)))
struct TelemetryEnvironmentTests {
    @Test("G6 the endpoint, header fields, service, attributes, protocol and methods come from OTEL_ variables")
    func variables() async throws {
        let collector = try await TestCollector()
        let telemetry = try Telemetry(environment: [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "\(collector.server.url)base",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
            "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b%2C, x-tenant = t1",
            "OTEL_SERVICE_NAME": "",
            "OTEL_RESOURCE_ATTRIBUTES": "service.name=shop,service.instance.id=i1,deployment.environment.name=t%2Cest",
            "OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS": "PROPFIND, POST",
        ]) {
            $0.compression = .off
            $0.resource["service.version"] = "2"
        }
        try await Self.call(with: telemetry)
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let request = try #require(collector.server.requests.first)
        #expect(request.path == "/base/v1/traces")
        #expect(request.fields["api-key"] == "a b," && request.fields["x-tenant"] == "t1")
        let export = try JSONDecoder().decode(TraceExport.self, from: request.body)
        let resource = export.resourceSpans[0].resource.attributes.texts
        #expect(resource["service.name"] == "shop" && resource["service.instance.id"] == "i1")
        #expect(resource["deployment.environment.name"] == "t,est" && resource["service.version"] == "2")
        #expect(export.spans[0]["http.request.method"] == "_OTHER")
    }

    @Test("G6 without variables, the collector is on this machine, at OTLP's port")
    func defaults() async throws {
        let diagnostics = Diagnostics()
        let telemetry = try Telemetry(environment: [:]) {
            $0.maxRetryTime = .zero
            $0.diagnostics = diagnostics
        }
        try await Self.call(with: telemetry)
        let isExported = await telemetry.shutdown(within: .seconds(60))
        #expect(isExported || "\(diagnostics.recent)".contains("localhost:4318"), "\(diagnostics.recent)")
    }

    @Test("G6 OTEL_SERVICE_NAME takes precedence over the resource's attribute")
    func serviceName() async throws {
        let collector = try await TestCollector()
        let telemetry = try Telemetry(environment: [
            "OTEL_EXPORTER_OTLP_ENDPOINT": "\(collector.server.url)", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
            "OTEL_SERVICE_NAME": "shop", "OTEL_RESOURCE_ATTRIBUTES": "service.name=other",
        ]) { $0.compression = .off }
        try await Self.call(with: telemetry)
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let request = try #require(collector.server.requests.first)
        let export = try JSONDecoder().decode(TraceExport.self, from: request.body)
        #expect(export.resourceSpans[0].resource.attributes.texts["service.name"] == "shop")
    }

    private static func call(with telemetry: Telemetry) async throws {
        let transport = MockTransport { $0.any("*").reply(.text("x")) }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.telemetry = telemetry }
        _ = try await api.send(Endpoint<Data>.get("a"))
    }

    @Test(
        "G6 a variable that can't be read throws an error that names it and doesn't show its value",
        arguments: [
            ("OTEL_EXPORTER_OTLP_HEADERS", "feather"), ("OTEL_EXPORTER_OTLP_HEADERS", "a b=feather"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=feather%0A"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "feather"),
            ("OTEL_RESOURCE_ATTRIBUTES", "a=feather%2"), ("OTEL_RESOURCE_ATTRIBUTES", "=feather"),
            ("OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS", "fea ther"),
        ])
    func errors(variable: String, value: String) throws {
        let error = try #require(throws: NetworkError.self) { try Telemetry(environment: [variable: value]) }
        guard case .invalidRequest = error.kind else { return #expect(Bool(false), "\(error)") }
        #expect("\(error)".contains(variable) && !"\(error)".contains("fea"))
    }

    @Test("G6 an endpoint over plain HTTP on another machine is refused, as in code")
    func plaintext() throws {
        let error = try #require(throws: NetworkError.self) {
            try Telemetry(environment: ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector.example:4318"])
        }
        #expect(error.kind == .insecure(.plaintext(host: "collector.example")))
    }
}
