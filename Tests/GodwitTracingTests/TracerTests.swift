#if Tracing
import Godwit
import GodwitTesting
import GodwitTracing
import InMemoryTracing
import Testing
import Tracing

private enum TenantKey: ServiceContextKey {
    typealias Value = String
}

/// What a tracer of swift-distributed-tracing gets of a client's calls.
@Suite("Spans of swift-distributed-tracing", .timeLimit(.minutes(15)))
struct TracerTests {
    private let tracer = InMemoryTracer()

    private func client(
        _ transport: some HTTPTransport, _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
            $0.trace(with: tracer)
            $0.clock = ImmediateClock()
            configure(&$0)
        }
    }

    private func text(_ name: String, of span: FinishedInMemorySpan) -> String? {
        span.attributes.get(name).map { value in
            switch value {
            case .string(let text): text
            case .int64(let number): String(number)
            case .int32(let number): String(number)
            default: "\(value)"
            }
        }
    }

    @Test("I5 a call is a span, each of its requests a child with the telemetry's names, and the fields name the child")
    func spans() async throws {
        let mock = MockTransport { $0.get("/v1/articles/7").replies([.status(503), .text("x")]) }
        let api = client(mock) { $0.retry.maximumAttempts = 2 }
        _ = try await api.send(Endpoint<Data>.get("articles/7"))
        let spans = tracer.finishedSpans
        #expect(spans.map(\.kind) == [.client, .client, .internal])
        #expect(spans.map(\.operationName) == ["GET", "GET", "GET"])
        let call = try #require(spans.last)
        #expect(spans.dropLast().allSatisfy { $0.parentSpanID == call.spanID && $0.traceID == call.traceID })
        #expect(spans.map { text("http.response.status_code", of: $0) } == ["503", "200", "200"])
        #expect(spans.map { text("error.type", of: $0) } == ["503", nil, nil])
        #expect(spans.map { text("http.request.resend_count", of: $0) } == [nil, "1", nil])
        #expect(text("godwit.call.requests", of: call) == "2")
        #expect(text("godwit.call.source", of: call) == "network")
        #expect(text("server.address", of: spans[0]) == "api.example.com")
        #expect(text("url.full", of: spans[0]) == "https://api.example.com/v1/articles/7")
        #expect(
            mock.requests.map { $0.fields[HTTPField.Name(InMemoryTracer.spanIDKey) ?? ""] }
                == spans.prefix(2).map(\.spanID))
        #expect(mock.requests.allSatisfy { $0.fields[.traceparent] == nil })
    }

    @Test(
        "I5 the context of the caller crosses tasks and shared transfers: its span is the parent, its baggage is injected"
    )
    func baggage() async throws {
        let mock = MockTransport { $0.get("/v1/*").reply(.text("x")) }
        let api = client(mock) { $0.coalescesRequests = true }
        var context = ServiceContext.topLevel
        context[TenantKey.self] = "reader"
        try await ServiceContext.withValue(context) {
            try await tracer.withSpan("screen") { span in
                async let first = api.send(Endpoint<Data>.get("a"))
                _ = try await Task { try await api.send(Endpoint<Data>.get("b")) }.value
                _ = try await first
                #expect(
                    tracer.finishedSpans.filter { $0.kind == .internal }.allSatisfy { $0.parentSpanID == span.spanID })
            }
        }
        let spans = tracer.finishedSpans
        #expect(spans.count == 5)
        #expect(Set(spans.map(\.traceID)).count == 1)
        #expect(tracer.performedContextInjections.count == 2)
        #expect(tracer.performedContextInjections.allSatisfy { $0.context[TenantKey.self] == "reader" })
    }

    @Test("I5 a failed call is an error of its span, without secrets; an accepted status is not")
    func failures() async throws {
        let mock = MockTransport {
            $0.get("/v1/gone").reply(.status(410))
            $0.get("/v1/dead").fail(.transport(.connectionLost("gone")))
        }
        let api = client(mock) {
            $0.retry.maximumAttempts = 1
            $0.authentication = .credential(.bearer("s3cr3t"))
        }
        _ = try await api.send(Endpoint<Data>.get("gone").accepting(.gone))
        await #expect(throws: NetworkError.self) {
            try await api.send(HTTPRequest(url: "https://api.example.com/v1/dead?access_token=s3cr3t"))
        }
        let spans = tracer.finishedSpans
        #expect(spans.map { $0.status?.code } == [.error, nil, .error, .error])
        #expect(
            spans.map { text("error.type", of: $0) } == [
                "410", nil, "transport.connection_lost", "transport.connection_lost",
            ])
        for span in spans {
            #expect(span.status?.message?.contains("s3cr3t") != true)
            #expect(text("url.full", of: span)?.contains("s3cr3t") != true)
        }
    }

    @Test("I5 an origin that isn't allowed gets no fields of the tracer")
    func origins() async throws {
        let mock = MockTransport { $0.get("/v1/a").reply(.text("x")) }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock) { [tracer] in
            $0.trace(with: tracer) { $0.host.hasSuffix(".internal") }
        }
        _ = try await api.send(Endpoint<Data>.get("a"))
        #expect(tracer.performedContextInjections.isEmpty)
        #expect(tracer.finishedSpans.count == 2)
    }
}
#endif
