import Godwit
import GodwitTelemetry
import GodwitTesting
import Testing

@Suite("Spans over real sockets", .timeLimit(.minutes(15)))
struct SpanTests {
    private func client(
        _ server: MockServer, _ telemetry: Telemetry, _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: "\(server.url)v1") {
            $0.telemetry = telemetry
            $0.clock = ImmediateClock()
            configure(&$0)
        }
    }

    /// Ends a telemetry, and returns what the collector got: the call, and its requests in order.
    private func ended(
        _ telemetry: Telemetry, _ collector: TestCollector
    ) async throws -> (call: ExportedSpan, requests: [ExportedSpan]) {
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let spans = try collector.spans
        return (try #require(spans.first { $0.isCall }), spans.filter { !$0.isCall })
    }

    @Test("S6 no attribute and no status shows a secret that a server repeats in a redirect or in its words")
    func repeatedSecrets() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { route in
            route.get("/v1/a").reply(.redirect(to: "/v1/b/SECRET-42?echo=SECRET%2d42&token=other"))
            route.get("/v1/b/*").reply(.text("The key SECRET-42 is wrong", status: .badRequest))
            route.get("/v1/c").reply(
                .raw("HTTP/1.1 200 OK\r\nLocation: SECRET-42\r\nContent-Length: SECRET-42\r\n\r\n"))
        }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry) { $0.authentication = .credential(.bearer("SECRET-42")) }
        for path in ["a", "c"] as [EndpointPath] { _ = try? await api.send(Endpoint<Void>.get(path)) }
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let text = collector.bodies("traces").map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(text.contains("REDACTED") && !text.contains("SECRET") && !text.contains("other"), "\(text)")
    }

    @Test("G6 a call is a span, and its request a child with the attributes of the HTTP conventions")
    func request() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.post("/v1/articles/:id").reply(.text("stored")) }
        let telemetry = try collector.telemetry { $0.resource = ["service.version": "1.2"] }
        let api = client(server, telemetry)
        _ = try await api.send(Endpoint<Data>.post("articles/\(17)", body: .text("a text")))
        let (call, requests) = try await ended(telemetry, collector)
        let request = try #require(requests.first)
        #expect(requests.count == 1 && request.kind == 3)
        #expect(request.name == "POST /v1/articles/{}" && call.name == request.name)
        #expect(request.traceId == call.traceId && request.parentSpanId == call.spanId && call.parentSpanId == nil)
        let port = "\(server.url.port)"
        #expect(
            request.attributes.texts == [
                "http.request.method": "POST", "server.address": "127.0.0.1", "server.port": port,
                "url.template": "/v1/articles/{}", "url.full": "\(server.url)v1/articles/17",
                "http.response.status_code": "200", "network.protocol.version": "1.1",
                "network.peer.address": "127.0.0.1", "network.peer.port": port, "http.request.body.size": "6",
                "http.response.body.size": "6",
            ])
        #expect(call["godwit.call.source"] == "network" && call["godwit.call.requests"] == "1")
        #expect(request.status == nil)
        let start = try #require(UInt64(request.startTimeUnixNano))
        let end = try #require(UInt64(request.endTimeUnixNano))
        #expect(start < end && end - start < 60_000_000_000)
        // The server got the span of the request.
        #expect(server.requests[0].fields["traceparent"] == "00-\(request.traceId)-\(request.spanId)-01")
        let export = try JSONDecoder().decode(TraceExport.self, from: collector.bodies("traces")[0])
        var resource = export.resourceSpans[0].resource.attributes.texts
        let instance = resource.removeValue(forKey: "service.instance.id") ?? ""
        #expect(UUID(uuidString: instance) != nil && instance == instance.lowercased())
        #expect(
            resource == [
                "service.name": "tests", "service.version": "1.2", "telemetry.sdk.name": "godwit",
                "telemetry.sdk.language": "swift", "telemetry.sdk.version": "0.1.0",
            ])
        #expect(export.resourceSpans[0].schemaUrl.hasPrefix("https://opentelemetry.io/schemas/1."))
    }

    @Test("G6 each attempt is a span of its own with a resend count, and failed ones have an error")
    func attempts() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.get("/v1/list").replies([.status(503), .status(503), .text("3")]) }
        let telemetry = try collector.telemetry()
        _ = try await client(server, telemetry).send(Endpoint<Data>.get("list"))
        let (call, requests) = try await ended(telemetry, collector)
        #expect(requests.map { $0["http.request.resend_count"] } == [nil, "1", "2"])
        #expect(requests.map { $0["error.type"] } == ["503", "503", nil])
        #expect(requests.map { $0.status?.code } == [2, 2, nil])
        #expect(call["error.type"] == nil && call["godwit.call.requests"] == "3")
        #expect(Set(requests.map(\.spanId)).count == 3 && requests.allSatisfy { $0.parentSpanId == call.spanId })
        let sent = server.requests.map { $0.fields["traceparent"]?.dropFirst(36).prefix(16) }
        #expect(sent == requests.map { $0.spanId[...] })
    }

    @Test("G6 a redirect's hop is a resend without the template of the first path")
    func redirect() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer {
            $0.get("/v1/old/:id").reply(.redirect(to: "/v1/new"))
            $0.get("/v1/new").reply(.text("here"))
        }
        let telemetry = try collector.telemetry()
        _ = try await client(server, telemetry).send(Endpoint<Data>.get("old/\(1)"))
        let (_, requests) = try await ended(telemetry, collector)
        #expect(requests.map(\.name) == ["GET /v1/old/{}", "GET"])
        #expect(requests.map { $0["http.request.resend_count"] } == [nil, "1"])
        #expect(requests.map { $0["http.response.status_code"] } == ["302", "200"])
    }

    @Test("G6 a status from 400 on and a failure without a response are errors of low cardinality")
    func errors() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer {
            $0.get("/v1/missing").reply(.status(404))
            $0.get("/v1/broken").fail(.transport(.connectionLost("")))
        }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry) { $0.retry.maximumAttempts = 1 }
        for path in ["missing", "broken"] {
            await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Data>.get(EndpointPath(path))) }
        }
        let (_, requests) = try await ended(telemetry, collector)
        #expect(requests.map { $0["error.type"] } == ["404", "transport.connection_lost"])
        #expect(requests.map { $0["http.response.status_code"] } == ["404", nil])
        #expect(
            requests[0].status?.message == nil && requests[1].status?.message?.contains("connection was lost") == true)
    }

    @Test("G6 secrets in a URL are redacted, and a method outside the standard is _OTHER")
    func redaction() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let telemetry = try collector.telemetry { $0.redactedNames = ["Bird"] }
        let api = client(server, telemetry)
        let purge = try #require(HTTPMethod("PURGE"))
        let query: QueryItems = [
            "page": 2, "access_token": "t0ken", "sig": "s1g", "AWSAccessKeyId": "AK1", "bird": "godwit",
            "X-Goog-Signature": "g00g",
        ]
        _ = try await api.send(Endpoint<Data>.custom(purge, "cache", query: query))
        let (call, requests) = try await ended(telemetry, collector)
        let url = try #require(requests[0]["url.full"])
        #expect(
            url
                == "\(server.url)v1/cache?page=2&access_token=REDACTED&sig=REDACTED&AWSAccessKeyId=REDACTED&bird=REDACTED"
                + "&X-Goog-Signature=REDACTED")
        #expect(requests[0].name == "HTTP /v1/cache" && call.name == "HTTP /v1/cache")
        #expect(
            requests[0]["http.request.method"] == "_OTHER" && requests[0]["http.request.method_original"] == "PURGE")
        let all = String(decoding: collector.bodies("traces")[0], as: UTF8.self)
        #expect(!all.contains("t0ken") && !all.contains("s1g") && !all.contains("AK1") && !all.contains("g00g"))
    }

    @Test("G6 the text of an error shows no secrets either, nor do names that only this call redacts")
    func errorRedaction() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").fail(.transport(.connectionLost(""))) }
        let telemetry = try collector.telemetry { $0.redactedNames = ["bird"] }
        let api = client(server, telemetry) {
            $0.retry.maximumAttempts = 1
            $0.middleware.append(SecretName())
        }
        let query: QueryItems = ["a": "1", "bird": "g0dwit", "nest": "s3a", "token": "t0ken"]
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Data>.get("a", query: query)) }
        let (call, requests) = try await ended(telemetry, collector)
        #expect(call.status?.message?.contains("connection was lost") == true && requests[0].status?.message != nil)
        let all = String(decoding: collector.bodies("traces")[0], as: UTF8.self)
        #expect(!all.contains("g0dwit") && !all.contains("s3a") && !all.contains("t0ken"))
    }

    @Test("G6 a call continues the trace of its task, with its sampling")
    func parent() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let telemetry = try collector.telemetry { $0.sampling = .alwaysOff }
        let api = client(server, telemetry)
        let outer = try #require(TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        _ = try await Tracing.$current.withValue(outer) { try await api.send(Endpoint<Data>.get("a")) }
        var unsampled = outer
        unsampled.isSampled = false
        _ = try await Tracing.$current.withValue(unsampled) { try await api.send(Endpoint<Data>.get("b")) }
        _ = try await api.send(Endpoint<Data>.get("c"))
        let (call, requests) = try await ended(telemetry, collector)
        #expect(call.traceId == outer.traceID && call.parentSpanId == outer.spanID)
        #expect(requests.map(\.name) == ["GET /v1/a"])
        #expect(server.requests.map { $0.fields["traceparent"]?.hasSuffix("-01") } == [true, false, false])
        // Metrics count every request.
        #expect(try collector.metrics["http.client.request.duration"]?.points.compactMap(\.count) == ["1", "1", "1"])
    }

    @Test("G6 a ratio decides by the trace's ID, and keeps about its share")
    func ratio() async throws {
        let transport = MockTransport { $0.any("*").reply(.text("x")) }
        let telemetry = try Telemetry(
            otlp: "https://collector.example", service: "tests", over: MockTransport { $0.any("*").reply(.json([:])) }
        ) {
            $0.sampling = .traceIDRatio(0.25)
            $0.maxQueueSize = 10_000
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.telemetry = telemetry }
        for _ in 0..<2000 { _ = try await api.send(Endpoint<Data>.get("a")) }
        #expect((400...600).contains(telemetry.statistics.spans / 2))
        await telemetry.shutdown()
    }

    @Test("G6 exports aren't traced, and carry the headers for the collector")
    func ownCalls() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let telemetry = try collector.telemetry { $0.headers = ["api-key": "feather", "x-tenant": "a"] }
        _ = try await client(server, telemetry).send(Endpoint<Data>.get("a"))
        let outer = try #require(TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        await Tracing.$current.withValue(outer) { _ = await telemetry.flush() }
        await telemetry.shutdown()
        #expect(try collector.spans.count == 2)
        for request in collector.server.requests {
            #expect(request.fields["traceparent"] == nil && request.fields["api-key"] == "feather")
        }
        #expect(Set(collector.server.requests.map(\.path)) == ["/v1/traces", "/v1/metrics"])
    }

    @Test("G6 a client that sends exports for another telemetry doesn't observe them")
    func exportsOverClient() async throws {
        let collector = try await TestCollector()
        let observing = try collector.telemetry()
        let api = client(collector.server, observing)
        let telemetry = try Telemetry(otlp: collector.server.url, service: "a", over: api) { $0.encoding = .json }
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        _ = try await client(server, telemetry).send(Endpoint<Data>.get("a"))
        #expect(await telemetry.shutdown(within: .seconds(60)))
        #expect(collector.bodies("traces").count == 1 && observing.statistics.spans == 0)
        _ = try await api.send(Endpoint<Data>.get("a"))
        #expect(observing.statistics.spans == 2)
        await observing.shutdown()
    }

    @Test("G6 a response from the cache is a call without a request")
    func cached() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.get("/v1/a").reply(.text("x").field(.cacheControl, "max-age=60")) }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry) { $0.cache = .memory(limit: 1 << 20) }
        for _ in 0..<3 { _ = try await api.send(Endpoint<Data>.get("a")) }
        let (_, requests) = try await ended(telemetry, collector)
        #expect(requests.count == 1)
        let calls = try collector.spans.filter(\.isCall)
        #expect(calls.map { $0["godwit.call.source"] } == ["network", "cache", "cache"])
        #expect(try collector.metrics["godwit.client.calls"]?.value("godwit.call.source", "cache") == 2)
    }

    @Test("G6 an endpoint can name its template, and plain text has none")
    func templates() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry)
        let text = ["a", "1"].joined(separator: "/")
        _ = try await api.send(
            Endpoint<Data>.get("a/\(1)/b/\("x/y")").options { $0.urlTemplate = "/v1/a/{id}/b/{name}" })
        _ = try await api.send(Endpoint<Data>.get("a/\(1)/b/\("x/y")"))
        _ = try await api.send(Endpoint<Data>.get(text))
        _ = try await api.send(Endpoint<Data>.get("\(1)/\(2)/\(3)/\(4)/\(5)"))
        _ = try await api.send(HTTPRequest(url: server.url))
        let (_, requests) = try await ended(telemetry, collector)
        #expect(requests.map(\.name) == ["GET /v1/a/{id}/b/{name}", "GET /v1/a/{}/b/{}", "GET", "GET", "GET"])
    }

    @Test("G6 a client that traces too has one trace, and shares transfers as without telemetry")
    func tracing() async throws {
        let collector = try await TestCollector()
        let clock = TestClock()
        var options = MockServer.Options()
        options.clock = clock
        let server = try await MockServer(options) { $0.any("*").reply(.text("x").delayed(by: .seconds(1))) }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry) {
            $0.tracing = Tracing()
            $0.coalescesRequests = true
        }
        let calls = (0..<3).map { _ in Task { try await api.send(Endpoint<Data>.get("a")) } }
        try await server.waitForRequests()
        for _ in 0..<2000 where try collector.metrics["godwit.client.active_calls"]?.value() != 3 {
            await telemetry.flush()
        }
        try await clock.run { for call in calls { _ = try await call.value } }
        let (_, requests) = try await ended(telemetry, collector)
        let spans = try collector.spans.filter(\.isCall)
        #expect(server.requests.count == 1 && requests.count == 1 && spans.count == 3)
        #expect(spans.map { $0["godwit.call.requests"] }.sorted { $0 ?? "" < $1 ?? "" } == ["0", "0", "1"])
        let parent = spans.first { $0["godwit.call.requests"] == "1" }
        #expect(requests[0].parentSpanId == parent?.spanId && requests[0].traceId == parent?.traceId)
        #expect(server.requests[0].fields["traceparent"] == "00-\(requests[0].traceId)-\(requests[0].spanId)-01")
    }

    @Test("G6 the trace fields of a client keep other origins from getting a trace")
    func origins() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let telemetry = try collector.telemetry()
        _ = try await client(server, telemetry) { $0.traceFields = TraceFields { _ in false } }
            .send(Endpoint<Data>.get("a"))
        let (call, requests) = try await ended(telemetry, collector)
        #expect(server.requests[0].fields["traceparent"] == nil)
        #expect(requests.map(\.parentSpanId) == [call.spanId])
    }
}

/// Makes a query item secret.
private struct SecretName: RequestMiddleware {
    func prepare(_ call: inout Call) {
        call.secretQueryItems.insert("nest")
    }
}
