#if canImport(Glibc)
import Glibc
import Godwit
@testable import GodwitTelemetry
import GodwitTesting
import TestSupport
import Testing

/// OpenTelemetry's own classes read what is exported.
@Suite("OTLP by OpenTelemetry's decoder", .enabled(if: OTLPPeer.isAvailable, OTLPPeer.hint), .timeLimit(.minutes(15)))
struct PeerTests {
    private func record(_ number: Int, _ outcome: CallOutcome, _ scope: SpanRecord.Scope) throws -> SpanRecord {
        var generator = SeededGenerator(seed: UInt64(number))
        let state = number == 1 ? #"vendor=x"\y,b=1"# : nil
        let trace = TraceContext(traceparent: TraceContext(using: &generator).traceparent, tracestate: state)
        return SpanRecord(
            scope: scope, trace: try #require(trace),
            parent: number > 0 ? trace?.newSpan(using: &generator) : nil,
            start: Moment(Date(timeIntervalSince1970: 1_700_000_000), .zero), duration: .milliseconds(number * 1234),
            method: .get, isKnownMethod: true, url: try HTTPURL("https://[::1]:8443/a%20b/ö?code=1"), template: "/a/{}",
            secrets: [],
            outcome: Outcome(outcome))
    }

    private var records: [SpanRecord] {
        get throws {
            let request = try HTTPRequest(url: "https://[::1]:8443/")
            var metrics = TransferMetrics()
            (metrics.remoteAddress, metrics.protocolVersion) = ("[::1]:8443", .http2)
            (metrics.bytesSent, metrics.bytesReceived) = (1 << 40, 0)
            let response = HTTPResponse(head: HTTPResponseHead(status: .ok), metrics: metrics, request: request)
            let error = NetworkError(.transport(.other("quote \" tab \t line \n")), phase: .sending, request: request)
            return [
                try record(0, .success(response), .call(source: "network", requests: 1)),
                try record(1, .success(response), .request(resendCount: 3)),
                try record(2, .failure(error), .request(resendCount: 0)),
            ]
        }
    }

    @Test("G6 spans in both encodings are the same message to OpenTelemetry")
    func spans() async throws {
        let message = SpanMessage(
            resource: Resource(service: "sërvice", ["a": "b"]), redaction: Redaction(fields: [], names: []))
        let protobuf = try await OTLPPeer.decode(
            message.write(records, as: ProtobufWriter.self), "traces", "protobuf")
        let json = try await OTLPPeer.decode(message.write(records, as: JSONWriter.self), "traces", "json")
        #expect(protobuf == json && protobuf.count > 1000)
        for part in [
            #""kind": "SPAN_KIND_CLIENT""#, #""kind": "SPAN_KIND_INTERNAL""#, #""code": "STATUS_CODE_ERROR""#,
            #""intValue": "1099511627776""#, #"code=REDACTED""#, #""flags": 1"#,
            #""traceState": "vendor=x\"\\y,b=1""#,
        ] { #expect(protobuf.contains(part), "\(part)") }
    }

    @Test("G6 metrics in both encodings are the same message to OpenTelemetry")
    func metrics() async throws {
        var table = MetricTable(limit: 2)
        for number in 0..<4 {
            let url = try HTTPURL("https://h\(number).example.com")
            let row = table.startRequest(ActiveSeries(method: "GET", origin: url.origin))
            let series = RequestSeries(
                method: "GET", origin: url.origin, template: "/a", status: 200, error: nil, version: .http1_1)
            var outcome = Outcome(.failure(NetworkError(.cancelled, phase: .sending)))
            (outcome.sentBytes, outcome.receivedBytes) = (10, 1 << 30)
            table.endRequest(row, series, 0.25 * Double(number), outcome)
        }
        table.activeCalls = -1
        table.endCall("cache")
        var clients = ClientGauges.Counts()
        clients.connections = ConnectionCounts(open: 3, idle: 1, waiting: 2)
        let snapshot = MetricSnapshot(table: table, clients: clients, spans: TelemetryStatistics(), start: 1, time: 2)
        let message = MetricMessage(resource: Resource(service: "a", [:]))
        let protobuf = try await OTLPPeer.decode(
            message.write(snapshot, as: ProtobufWriter.self), "metrics", "protobuf")
        let json = try await OTLPPeer.decode(message.write(snapshot, as: JSONWriter.self), "metrics", "json")
        #expect(protobuf == json)
        for part in [
            #""aggregationTemporality": "AGGREGATION_TEMPORALITY_CUMULATIVE""#, #""isMonotonic": true"#,
            #""asInt": "-2""#, #""otel.metric.overflow", "value": {"boolValue": true}"#,
            #""schemaUrl": "https://opentelemetry.io/schemas/"#, #""explicitBounds": [0.005, "#,
        ] { #expect(protobuf.contains(part), "\(part)") }
    }

    @Test(
        "G6 what a client exports over a socket, compressed with gzip, is read by OpenTelemetry",
        arguments: ["protobuf", "json"])
    func socket(encoding: String) async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let telemetry = try collector.telemetry {
            $0.compression = .gzip(minimumSize: 1)
            $0.encoding = encoding == "json" ? .json : .protobuf
        }
        let api = APIClient(baseURL: server.url) { $0.telemetry = telemetry }
        for number in 0..<20 { _ = try await api.send(Endpoint<Data>.get("a/\(number)")) }
        #expect(await telemetry.shutdown(within: .seconds(60)))
        for signal in ["traces", "metrics"] {
            let request = try #require(collector.server.requests.first { $0.path == "/v1/\(signal)" })
            #expect(request.fields["content-encoding"] == "gzip")
            #expect(
                request.fields["content-type"] == (encoding == "json" ? "application/json" : "application/x-protobuf"))
            let text = try await OTLPPeer.decode(request.body, signal, encoding)
            #expect(text.contains("GET /a/{}") || text.contains(#""stringValue": "/a/{}""#))
        }
    }
}

/// Python with opentelemetry-proto.
enum OTLPPeer {
    private static let python = ProcessInfo.processInfo.environment["GODWIT_TEST_PYTHON"]

    /// Whether the package is installed. An older environment of the servers doesn't have it.
    static let isAvailable: Bool = {
        guard let python else { return false }
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        let program = try? ChildProgram(
            [python, "-c", "import opentelemetry.proto.collector.trace.v1.trace_service_pb2"],
            ChildProgram.Streams(errors: null))
        return program?.waitForEnd() == 0
    }()

    static let hint: Comment =
        "needs Python with opentelemetry-proto: script/setup --servers, script/servers start DIR; . DIR/env"

    /// The message as the decoder prints it.
    static func decode(_ data: Data, _ signal: String, _ encoding: String) async throws -> String {
        let folder = TemporaryFolder()
        let file = try folder.file("message", data)
        let output = folder.url.appending(path: "output")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Peers/otlp_decode.py")
        let descriptor = open(output.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let program = try ChildProgram(
            [try #require(python), script.path, signal, encoding, file.path], ChildProgram.Streams(output: descriptor))
        #expect(await program.end() == 0)
        return try String(contentsOf: output, encoding: .utf8)
    }
}
#endif
