#if OpenAPI && Logging && Tracing
import Godwit
import GodwitLogging
import GodwitOpenAPI
import GodwitTesting
import GodwitTracing
import InMemoryLogging
import InMemoryTracing
import Logging
import Testing
import Tracing

/// Three bridges in one program (docs/integrations.md).
@Suite("Bridges together", .timeLimit(.minutes(15)))
struct CombinedTests {
    @Test("I2 I3 I5 a generated client logs to swift-log within the span of its caller, through one Godwit client")
    func program() async throws {
        let server = try await MockServer {
            $0.get("/birds/7").replies([.status(503), .json(["id": 7, "name": "Uferschnepfe"])])
        }
        let serverURL = try #require(URL(string: "\(server.url)"))
        let (log, tracer) = (InMemoryLogHandler(), InMemoryTracer())
        let logger = Logger(label: "birds") { _ in log }
        // snippet: integrations-combined
        let api = APIClient(baseURL: "\(serverURL)") {
            $0.trace(with: tracer)
            $0.middleware.append(LoggerMiddleware(logger))
            $0.retry.maximumAttempts = 3
            // hidden
            $0.clock = ImmediateClock()
            // shown
        }
        let client = Client(serverURL: serverURL, transport: GodwitTransport(api))
        let output = try await tracer.withSpan("screen") { _ in
            try await client.getBird(.init(id: 7, language: "de"))
        }
        // end
        guard case .ok(let bird) = output else {
            Issue.record("no bird")
            return
        }
        #expect(bird.name == "Uferschnepfe")
        #expect(log.entries.map { $0.metadata["http.request.resend_count"].map { "\($0)" } } == ["1"])
        let spans = tracer.finishedSpans
        #expect(spans.map(\.kind) == [.client, .client, .internal, .internal])
        #expect(Set(spans.map(\.traceID)).count == 1)
        #expect(spans[2].parentSpanID == spans[3].spanID)
    }
}
#endif
