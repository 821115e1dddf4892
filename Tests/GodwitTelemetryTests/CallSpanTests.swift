import Godwit
import GodwitTelemetry
import GodwitTesting
import Testing

/// What a call's span and metrics say, beyond those of its requests.
@Suite("Spans of calls", .timeLimit(.minutes(15)))
struct CallSpanTests {
    private func client(
        _ server: MockServer, _ telemetry: Telemetry, _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: "\(server.url)v1") {
            $0.telemetry = telemetry
            $0.clock = ImmediateClock()
            configure(&$0)
        }
    }

    @Test(
        "G6 a call fails by the statuses of its endpoint: an accepted 404 is no error, a redirect that isn't followed is one"
    )
    func statuses() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer {
            $0.get("/v1/missing").reply(.status(404))
            $0.any("*").reply(.redirect(to: "/v1/new"))
        }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry)
        _ = try await api.send(Endpoint<Data>.get("missing").accepting(.notFound))
        let moved = Endpoint<Data>.get("moved").redirects(.block)
        await #expect(throws: NetworkError.self) { try await api.send(moved) }
        _ = try await api.send(moved.accepting(.found))
        var request = HTTPRequest(url: try HTTPURL("\(server.url)v1/plain"))
        request.options.redirects = .block
        _ = try await api.send(request)
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let calls = try collector.spans.filter(\.isCall)
        #expect(calls.map { $0["error.type"] } == [nil, "302", nil, nil])
        #expect(calls.map { $0.status?.code } == [nil, 2, nil, nil])
        // A request is an error by its status alone.
        #expect(try collector.spans.filter { !$0.isCall }.map { $0["error.type"] } == ["404", nil, nil, nil])
    }

    @Test(
        "G6 a cache hit is a stored response that needed no server: not the cache's 504, nor one instead of a failure")
    func cacheHits() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer {
            $0.get("/v1/a").replies([
                .text("x").field(.cacheControl, "max-age=0, stale-if-error=600"), .status(503),
            ])
            $0.get("/v1/b").reply(.text("y").field(.cacheControl, "max-age=600"))
        }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry) {
            $0.cache = .memory(limit: 1 << 20)
            $0.retry.maximumAttempts = 1
        }
        for path: EndpointPath in ["a", "a", "b", "b"] { _ = try await api.send(Endpoint<Data>.get(path)) }
        let offline = Endpoint<Data>.get("c").header(.cacheControl, "only-if-cached").accepting(.gatewayTimeout)
        _ = try await api.send(offline)
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let calls = try collector.spans.filter(\.isCall)
        #expect(calls.map { $0["godwit.call.source"] } == ["network", "stale_if_error", "network", "cache", nil])
        let counts = try #require(try collector.metrics["godwit.client.calls"])
        for (source, count) in [("network", 2), ("cache", 1), ("stale_if_error", 1), ("none", 1)] {
            #expect(counts.value("godwit.call.source", source) == count, "\(source)")
        }
    }

    @Test("G6 a validation in the background is a call of its own, below the call that used the stale response")
    func revalidation() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer {
            $0.get("/v1/a").reply(.text("x").field(.cacheControl, "max-age=0, stale-while-revalidate=600"))
        }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry) { $0.cache = .memory(limit: 1 << 20) }
        for _ in 0..<2 { _ = try await api.send(Endpoint<Data>.get("a")) }
        for _ in 0..<2000 where telemetry.statistics.spans < 5 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let spans = try collector.spans
        let stale = try #require(spans.first { $0["godwit.call.source"] == "cache" })
        #expect(stale["godwit.call.requests"] == "0")
        let children = spans.filter { $0.parentSpanId == stale.spanId }
        #expect(children.count == 1 && children[0].isCall && children[0]["godwit.call.requests"] == "1")
        let requests = spans.filter { !$0.isCall }
        #expect(requests.count == 2 && requests[1].parentSpanId == children[0].spanId)
        #expect(requests.allSatisfy { $0["http.request.resend_count"] == nil })
    }

    @Test("G6 a refused credential is a resend, and a streamed response ends its span with its head")
    func resends() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer {
            $0.get("/v1/private").replies([.status(401), .text("mine")])
            $0.get("/v1/stream").reply(.text("a long body"))
        }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry) {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "old", refresh: "r"))) { _, _ in
                AccessToken(access: "new")
            }
        }
        _ = try await api.send(Endpoint<Data>.get("private"))
        for try await _ in api.stream(Endpoint<Void>.get("stream")) {}
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let requests = try collector.spans.filter { !$0.isCall }
        #expect(requests.map { $0["http.request.resend_count"] } == [nil, "1", nil])
        #expect(requests.map { $0["http.response.status_code"] } == ["401", "200", "200"])
        #expect(requests[1]["http.response.body.size"] == "4" && requests[2]["http.response.body.size"] == nil)
    }

    @Test("G6 unknown methods share a series, and the known ones can be set")
    func methods() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let names = ["QUERY", "PROPFIND", "PURGE", "LOCK"]
        let methods = try names.map { try #require(HTTPMethod($0)) }
        let telemetry = try collector.telemetry { $0.knownMethods.insert(methods[1]) }
        let api = client(server, telemetry)
        for method in methods { _ = try await api.send(Endpoint<Data>.custom(method, "a")) }
        #expect(await telemetry.shutdown(within: .seconds(60)))
        let spans = try collector.spans.filter { !$0.isCall }
        #expect(spans.map { $0["http.request.method"] } == ["QUERY", "PROPFIND", "_OTHER", "_OTHER"])
        #expect(spans.map(\.name) == ["QUERY /v1/a", "PROPFIND /v1/a", "HTTP /v1/a", "HTTP /v1/a"])
        let durations = try #require(try collector.metrics["http.client.request.duration"])
        #expect(durations.points.count == 3 && durations.value("http.request.method", "_OTHER") == 2)
    }

    @Test("G6 a path made at runtime has no template, so that IDs in it make no series")
    func runtimePaths() async throws {
        let collector = try await TestCollector()
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        let telemetry = try collector.telemetry()
        let api = client(server, telemetry)
        for id in 0..<3 { _ = try await api.send(Endpoint<Data>.get(EndpointPath(template: "articles/\(id)"))) }
        #expect(await telemetry.shutdown(within: .seconds(60)))
        #expect(try Set(collector.spans.map(\.name)) == ["GET"])
        #expect(try collector.metrics["http.client.request.duration"]?.points.count == 1)
    }

    @Test("G6 an export over a client with telemetry or tracing carries no traceparent of a span that nobody records")
    func untraced() async throws {
        let collector = try await TestCollector()
        let observing = try collector.telemetry()
        let api = client(collector.server, observing) {
            $0.tracing = Tracing()
            $0.attemptMiddleware.append(TraceFields())
        }
        let telemetry = try Telemetry(otlp: collector.server.url, service: "a", over: api) { $0.encoding = .json }
        let server = try await MockServer { $0.any("*").reply(.text("x")) }
        _ = try await client(server, telemetry).send(Endpoint<Data>.get("a"))
        #expect(await telemetry.shutdown(within: .seconds(60)))
        #expect(collector.server.requests.count == 2)
        #expect(collector.server.requests.allSatisfy { $0.fields["traceparent"] == nil })
        await observing.shutdown()
    }
}
