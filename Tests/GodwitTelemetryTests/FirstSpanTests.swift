import Godwit
import GodwitTelemetry
import GodwitTesting
import Testing

@Suite("Spans over a socket")
struct FirstSpanTests {
    @Test("G6 A call and its request are exported as OTLP/JSON", .timeLimit(.minutes(1)))
    func first() async throws {
        let collector = try await MockServer { $0.any("*").reply(.json(["partialSuccess": [String: Int]()])) }
        let server = try await MockServer { $0.get("/v1/articles/:id").reply(.json(["id": 1])) }
        let telemetry = try Telemetry(otlp: collector.url, service: "reader") {
            $0.encoding = .json
            $0.compression = .off
        }
        let api = APIClient(baseURL: "\(server.url)v1") { $0.telemetry = telemetry }
        _ = try await api.send(Endpoint<Data>.get("articles/\(1)"))
        #expect(await telemetry.shutdown())
        for request in collector.requests { print(request.path, String(decoding: request.body, as: UTF8.self)) }
        print(server.requests.map { $0.fields["traceparent"] ?? "" }, telemetry.statistics)
    }
}
