import GodwitCore
import GodwitTesting
import Testing

@Suite("C1 background validations", .timeLimit(.minutes(15)))
struct RevalidationTests {
    private static let windows = "max-age=1, stale-while-revalidate=100000"
    private let clock = TestClock()
    private let store = MemoryCacheStore()

    /// Stores a response that has been stale for long, as if it had come yesterday.
    private func storeStale(_ text: String = "old", _ control: String = Self.windows) async throws {
        let date = Date(timeIntervalSinceNow: -3600)
        await store.store(
            CachedResponse(
                url: try HTTPURL("https://api.example.com/v1/a"), variant: "", status: .ok,
                fields: [.cacheControl: control, .etag: "\"1\""], body: Data(text.utf8), requestTime: date,
                responseTime: date))
    }

    private func client(
        _ mock: MockTransport, configure: (inout ClientConfiguration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: "https://api.example.com/v1", transport: mock) {
            $0.cache = .store(store)
            $0.clock = clock
            configure(&$0)
        }
    }

    private let article = Endpoint<String>.get("a")

    @Test("C1 RFC 5861 3 a validation is signed in, sends cookies, and keeps those that it brings")
    func credentialsAndCookies() async throws {
        try await storeStale()
        let mock = MockTransport { $0.any("*").reply(.text("new").field(.setCookie, "seen=1; Path=/")) }
        let api = client(mock) { $0.authentication = .credential(.bearer("t0ken")) }
        _ = api.cookieJar?.store("start=1; Path=/", from: try HTTPURL("https://api.example.com/v1/"))
        #expect(try await api.send(article) == "old")
        try await mock.waitForRequests(count: 1)
        let sent = try #require(mock.requests.first)
        #expect(sent.fields[.authorization] == "Bearer t0ken")
        #expect(sent.fields[.cookie] == "start=1")
        #expect(sent.fields[.ifNoneMatch] == "\"1\"")
        let url = try HTTPURL("https://api.example.com/v1/")
        while api.cookieJar?.cookies(for: url).contains(where: { $0.name == "seen" }) != true { await Task.yield() }
    }

    @Test("C1 a shutdown that finishes calls waits for validations")
    func shutdown() async throws {
        try await storeStale()
        let mock = MockTransport { _ in
            for _ in 0..<100 { await Task.yield() }
            return .text("new").field(.cacheControl, "max-age=60")
        }
        let api = client(mock)
        #expect(try await api.send(article) == "old")
        await api.shutdown(.finishing)
        #expect(try await client(MockTransport { _ in .status(500) }).send(article) == "new")
    }

    @Test("C1 the concurrency limit applies to a validation")
    func concurrency() async throws {
        try await storeStale()
        let gate = Watched(false)
        let crowd = Crowd()
        let mock = MockTransport { _ in
            crowd.enter()
            defer { crowd.leave() }
            try await gate.wait { $0 }
            return .text("new").field(.cacheControl, "max-age=60")
        }
        let api = client(mock) { $0.concurrency.total = 1 }
        let other = Task { try await api.send(Endpoint<String>.get("b")) }
        try await mock.waitForRequests(count: 1)
        let reading = Task { try await api.send(article) }
        for _ in 0..<100 { await Task.yield() }
        #expect(mock.requestCount == 1)
        gate.update { $0 = true }
        _ = try await other.value
        #expect(try await reading.value == "old")
        try await mock.waitForRequests(count: 2)
        #expect(crowd.peak == 1)
    }

    @Test("C1 the rate limit applies to a validation")
    func rate() async throws {
        try await storeStale()
        let mock = MockTransport { $0.any("*").reply(.text("new").field(.cacheControl, "max-age=60")) }
        let api = client(mock) { $0.rateLimit = .slidingWindow(count: 1, per: .seconds(10)) }
        // The answer from the store takes the only place of these ten seconds.
        #expect(try await api.send(article) == "old")
        try await clock.waitForSleepers()
        #expect(mock.requestCount == 0)
        clock.advance(by: .seconds(10))
        try await mock.waitForRequests(count: 1)
    }

    @Test("C1 many uses start one validation at a time")
    func once() async throws {
        try await storeStale()
        let gate = Watched(false)
        let mock = MockTransport { _ in
            try await gate.wait { $0 }
            return .status(.notModified).field(.cacheControl, "max-age=60")
        }
        let api = client(mock)
        for _ in 0..<20 { #expect(try await api.send(article) == "old") }
        try await mock.waitForRequests(count: 1)
        gate.update { $0 = true }
        let url = try HTTPURL("https://api.example.com/v1/a")
        while await store.responses(for: url).first?.fields[.cacheControl] != "max-age=60" { await Task.yield() }
        #expect(try await api.send(article) == "old")
        #expect(mock.requestCount == 1)
    }

    @Test(
        "C1 after a failure, validations pause for the server's Retry-After, also if a stored response was used",
        arguments: [(429, ""), (503, ""), (503, ", stale-if-error=100000")])
    func advice(status: Int, extra: String) async throws {
        try await storeStale("old", Self.windows + extra)
        let mock = MockTransport { $0.any("*").reply(.status(status).field(.retryAfter, "60")) }
        let api = client(mock)
        #expect(try await api.send(article) == "old")
        try await mock.waitForRequests(count: 1)
        for _ in 0..<20 {
            #expect(try await api.send(article) == "old")
            await Task.yield()
        }
        #expect(mock.requestCount == 1)
        clock.advance(by: .seconds(59))
        #expect(try await api.send(article) == "old")
        for _ in 0..<20 { await Task.yield() }
        #expect(mock.requestCount == 1)
        // The pause began when the failure was noted, which may have been after the clock was moved.
        while mock.requestCount < 2 {
            clock.advance(by: .seconds(61))
            #expect(try await api.send(article) == "old")
            await Task.yield()
        }
    }

    @Test("C1 M4 however long the server asks to wait, the next validation follows after an hour")
    func bound() async throws {
        try await storeStale()
        let mock = MockTransport { $0.any("*").reply(.status(503).field(.retryAfter, "31536000")) }
        let api = client(mock)
        #expect(try await api.send(article) == "old")
        try await mock.waitForRequests(count: 1)
        // The pause begins when the failure was noted, which may be after the clock was moved; a year has 8,760 hours.
        var hours = 0
        while mock.requestCount < 2, hours < 5000 {
            clock.advance(by: .seconds(3600))
            hours += 1
            #expect(try await api.send(article) == "old")
            await Task.yield()
        }
        #expect(mock.requestCount == 2)
    }

    @Test("C1 RFC 9111 4.3.2 a caller that has the stored response gets a 304 from the store, without a body")
    func notModified() async throws {
        let date = Date()
        await store.store(
            CachedResponse(
                url: try HTTPURL("https://api.example.com/v1/a"), variant: "", status: .ok,
                fields: [.cacheControl: "max-age=60", .etag: "\"1\"", .contentType: "text/plain", "X-Other": "1"],
                body: Data("stored".utf8), requestTime: date, responseTime: date))
        let mock = MockTransport { $0.any("*").reply(.text("server")) }
        let api = client(mock)
        let response = try await api.send(
            HTTPRequest(url: try HTTPURL("https://api.example.com/v1/a"), fields: [.ifNoneMatch: "\"1\""]))
        #expect(response.head.status == .notModified)
        #expect(response.head.fields[.etag] == "\"1\"" && response.head.fields[.age] != nil)
        #expect(response.head.fields["X-Other"] == nil && response.head.fields[.contentType] == nil)
        #expect(response.metrics.source == .cache)
        #expect(try await response.body.text().isEmpty)
        // One who has another state gets the stored response.
        let other = try await api.send(
            HTTPRequest(url: try HTTPURL("https://api.example.com/v1/a"), fields: [.ifNoneMatch: "\"0\""]))
        #expect(try await other.body.text() == "stored")
        #expect(mock.requestCount == 0)
    }

    @Test("C1 RFC 9111 5.2.2.4 no-cache=\"name\" withholds that field until the server confirmed the response")
    func withheldField() async throws {
        let mock = MockTransport {
            $0.any("*").replies([
                .text("one").field(.cacheControl, "max-age=60, no-cache=\"X-Price\"").field("X-Price", "5")
                    .field(.etag, "\"1\""),
                .status(.notModified).field("X-Price", "6"),
            ])
        }
        let api = client(mock)
        let request = HTTPRequest(url: try HTTPURL("https://api.example.com/v1/a"))
        #expect(try await api.send(request).head.fields["X-Price"] == "5")
        let stored = try await api.send(request)
        #expect(stored.head.fields["X-Price"] == nil)
        #expect(try await stored.body.text() == "one")
        var confirmed = request
        confirmed.options.cachePolicy = .reloadRevalidating
        #expect(try await api.send(confirmed).head.fields["X-Price"] == "6")
        #expect(mock.requestCount == 2)
    }
}
