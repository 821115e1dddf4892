import GodwitCore
import GodwitTesting
import Testing

@Suite("M3 tracing", .timeLimit(.minutes(15)))
struct TracingTests {
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private func chain(
        _ transport: ScriptedTransport, to isAllowed: @escaping @Sendable (Origin) -> Bool = { _ in true }
    )
        -> Chain
    {
        Chain(
            [
                Tracing(using: SeededGenerator(seed: 1)), Redirects(),
                TraceFields(using: SeededGenerator(seed: 2), to: isAllowed),
            ], over: transport)
    }

    private func request(_ fields: HTTPFields = [:]) throws -> HTTPRequest {
        HTTPRequest(url: try HTTPURL("https://a.com/"), fields: fields)
    }

    private func traces(_ transport: ScriptedTransport) -> [TraceContext?] {
        transport.requests.map { request in
            request.fields[.traceparent].flatMap {
                TraceContext(traceparent: $0, tracestate: request.fields[.tracestate])
            }
        }
    }

    @Test("M3 a call is one trace, and each hop a span")
    func hops() async throws {
        let transport = ScriptedTransport([
            { .redirect(of: $0, to: "/2") }, { .redirect(of: $0, to: "/3") }, { .reply(to: $0) },
        ])
        _ = try await chain(transport).send(request())
        let traces = try traces(transport).map { try #require($0) }
        #expect(traces.count == 3)
        #expect(Set(traces.map(\.traceID)).count == 1)
        #expect(Set(traces.map(\.spanID)).count == 3)
    }

    @Test("M3 two calls are two traces")
    func calls() async throws {
        let transport = ScriptedTransport()
        let chain = chain(transport)
        for _ in 0..<2 { _ = try await chain.send(request()) }
        #expect(Set(traces(transport).map { $0?.traceID }).count == 2)
    }

    @Test("M3 the caller's trace continues, from the option, the field or the task, in that order", arguments: 0..<4)
    func continuing(sources: Int) async throws {
        let transport = ScriptedTransport()
        var request = try request(sources >= 2 ? [.traceparent: Self.trace(2), .tracestate: "a=1"] : [:])
        if sources >= 3 { request.options.trace = TraceContext(traceparent: Self.trace(3)) }
        let task = sources >= 1 ? TraceContext(traceparent: Self.trace(1)) : nil
        _ = try await Tracing.$current.withValue(task) { [request] in try await chain(transport).send(request) }
        let sent = try #require(traces(transport).first ?? nil)
        #expect(sent.spanID != "00f067aa0ba902b7")
        #expect((sources > 0) == Self.trace(sources).contains(sent.traceID))
        #expect(sent.state == (sources == 2 ? "a=1" : nil))
    }

    private static func trace(_ number: Int) -> String {
        "00-4bf92f3577b34da6a3ce929d0e0e473\(number)-00f067aa0ba902b7-01"
    }

    @Test(
        "M3 invalid or contradictory fields start a new trace",
        arguments: [[parent + "x"], ["junk"], [parent, parent]])
    func restarting(values: [String]) async throws {
        let transport = ScriptedTransport()
        var fields: HTTPFields = [.tracestate: "a=1"]
        for value in values { fields.append(value, for: .traceparent) }
        _ = try await chain(transport).send(request(fields))
        let sent = try #require(traces(transport).first ?? nil)
        #expect(sent.traceID != "4bf92f3577b34da6a3ce929d0e0e4736" && sent.state == nil)
    }

    @Test("M3 origins that aren't allowed get neither field, also after a redirect")
    func origins() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "https://b.com/") }, { .reply(to: $0) }])
        _ = try await chain(transport) { $0.host == "a.com" }.send(request([.traceparent: Self.parent]))
        #expect(transport.requests.map { $0.fields.contains(.traceparent) } == [true, false])
    }

    @Test("M3 nothing is sent by default")
    func off() async throws {
        let transport = ScriptedTransport()
        try await articles(transport).send(Endpoint<Void>.get("a"))
        #expect(transport.requests.first?.fields.contains(.traceparent) == false)
    }
}
