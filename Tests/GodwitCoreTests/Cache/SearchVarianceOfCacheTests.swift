import GodwitCore
import GodwitTesting
import Testing

@Suite("C7 a cache with No-Vary-Search", .timeLimit(.minutes(15)))
struct SearchVarianceOfCacheTests {
    private let store = MemoryCacheStore()

    /// A server that answers with the target and a counter, and says which parameters don't matter.
    private func scene(_ field: String, _ control: String = "max-age=60") -> (MockTransport, Chain) {
        let mock = MockTransport { request in
            MockResponse.text(request.target).field(.cacheControl, control).field("No-Vary-Search", field)
        }
        return (mock, Chain([Caching(store)], over: mock))
    }

    private func send(
        _ chain: Chain, _ target: String, _ method: HTTPMethod = .get, policy: CachePolicy = .useProtocol
    ) async throws -> (text: String, isStored: Bool) {
        var request = HTTPRequest(method: method, url: try HTTPURL("https://example.com" + target))
        request.options.cachePolicy = policy
        let response = try await chain.send(request)
        #expect(response.request.url == request.url)
        return (try await response.body.text(), response.metrics.source == .cache)
    }

    @Test("C7 a stored response answers URLs that differ in what doesn't matter, and no others")
    func found() async throws {
        let (mock, chain) = scene("params=(\"utm\")")
        #expect(try await send(chain, "/a?id=1&utm=x") == ("/a?id=1&utm=x", false))
        #expect(try await send(chain, "/a?utm=y&id=1") == ("/a?id=1&utm=x", true))
        #expect(try await send(chain, "/a?id=1") == ("/a?id=1&utm=x", true))
        #expect(try await send(chain, "/a?id=2") == ("/a?id=2", false))
        #expect(try await send(chain, "/b?id=1") == ("/b?id=1", false))
        #expect(mock.requests.count == 3)
    }

    @Test("C7 without the field, or with an invalid one, each URL is its own", arguments: ["", "params=1"])
    func notFound(field: String) async throws {
        let (mock, chain) = scene(field)
        for target in ["/a?x=1", "/a?x=2", "/a", "/a?x=1"] { _ = try await send(chain, target) }
        #expect(mock.requests.count == 3)
    }

    @Test("C7 a new response replaces the equivalent one that is stored")
    func replaced() async throws {
        let (mock, chain) = scene("params")
        _ = try await send(chain, "/a?1")
        #expect(try await send(chain, "/a?2", policy: .reloadIgnoringCache) == ("/a?2", false))
        #expect(try await send(chain, "/a?3") == ("/a?2", true))
        let (_, stale) = scene("params", "max-age=0")
        _ = try await send(stale, "/a?4")
        #expect(mock.requests.count == 2)
    }

    @Test("C7 a stale equivalent response is validated by the URL that is asked for")
    func validated() async throws {
        let mock = MockTransport { route in
            route.any("*").replies([
                .cached("one", "max-age=0", etag: "\"1\"").field("No-Vary-Search", "params"),
                MockResponse.status(.notModified).field(.etag, "\"1\""),
            ])
        }
        let chain = Chain([Caching(store)], over: mock)
        _ = try await send(chain, "/a?1")
        #expect(try await send(chain, "/a?2").text == "one")
        #expect(mock.requests.last?.target == "/a?2")
        #expect(mock.requests.last?.fields[.ifNoneMatch] == "\"1\"")
        #expect(await store.urls().count == 1)
    }

    @Test("C7 a change invalidates the equivalent response, too")
    func invalidated() async throws {
        let (_, chain) = scene("params=(\"utm\")")
        _ = try await send(chain, "/a?utm=1")
        _ = try await send(chain, "/a?utm=2", .post)
        #expect(await store.urls() == [])
        #expect(try await send(chain, "/a?utm=3") == ("/a?utm=3", false))
    }

    @Test("C7 an equivalent response that was evicted doesn't hide one of the URL itself")
    func evicted() async throws {
        let (_, chain) = scene("params")
        _ = try await send(chain, "/a?1")
        let own = await store.responses(for: try HTTPURL("https://example.com/a?1"))
        _ = try await send(chain, "/a?2", policy: .reloadIgnoringCache)
        await store.removeAll()
        for response in own { await store.store(response) }
        #expect(try await send(chain, "/a?1") == ("/a?1", true))
    }

    @Test("C7 a response whose field has changed since is no longer equivalent")
    func changed() async throws {
        let (_, chain) = scene("params")
        _ = try await send(chain, "/a?1")
        let url = try HTTPURL("https://example.com/a?1")
        for response in await store.responses(for: url) {
            await store.store(
                CachedResponse(
                    url: url, variant: response.variant, status: .ok, fields: [.cacheControl: "max-age=60"],
                    body: response.body, requestTime: response.requestTime, responseTime: response.responseTime))
        }
        #expect(try await send(chain, "/a?2") == ("/a?2", false))
    }
}
