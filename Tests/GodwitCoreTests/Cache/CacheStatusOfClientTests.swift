import GodwitCore
import GodwitTesting
import Testing

@Suite("C7 what the client's cache says", .timeLimit(.minutes(15)))
struct CacheStatusOfClientTests {
    private func status(_ response: HTTPResponse) -> String? { response.metrics.cacheStatus?.description }

    @Test("C7 without a cache there is no status")
    func without() async throws {
        let mock = MockTransport { _ in .text("a") }
        let response = try await Chain([], over: mock).send(HTTPRequest(url: HTTPURL("https://example.com/")))
        #expect(response.metrics.cacheStatus == nil)
    }

    @Test("C7 a miss, a hit with its remaining time, a stale response that is confirmed, one that is replaced")
    func cycle() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=60", etag: "\"1\""),
            MockResponse.status(.notModified).field(.etag, "\"1\"").field(.cacheControl, "max-age=60"),
            .cached("two", "max-age=60"))
        #expect(try await status(scene.send()) == "Godwit; fwd=miss; stored")
        scene.wait(10)
        #expect(try await status(scene.send()) == "Godwit; hit; ttl=50")
        scene.wait(60)
        #expect(try await status(scene.send()) == "Godwit; fwd=stale; fwd-status=304; stored")
        scene.wait(70)
        #expect(try await status(scene.send()) == "Godwit; fwd=stale; stored")
    }

    @Test("C7 what the request forbids, what isn't stored, and what caches don't answer")
    func requests() async throws {
        let scene = CacheScene(.cached("one", "max-age=60"), .cached("two", "max-age=60"), .cached("x", "no-store"))
        _ = try await scene.send()
        #expect(try await status(scene.send(policy: .reloadIgnoringCache)) == "Godwit; fwd=request; stored")
        #expect(try await status(scene.send(.get, "/other")) == "Godwit; fwd=miss")
        #expect(try await status(scene.send(.get, "/a", [.range: "bytes=0-1"])) == "Godwit; fwd=bypass")
        #expect(try await status(scene.send(.get, "/a", [.cacheControl: "no-cache"])) == "Godwit; fwd=request")
        #expect(
            try await status(scene.send(.get, "/b", [.cacheControl: "only-if-cached"]))
                == "Godwit; detail=only-if-cached")
        #expect(try await status(scene.send(.post)) == "Godwit; fwd=method")
    }

    @Test("C7 a stale response in place of a failure is a hit that says so")
    func staleIfError() async throws {
        let scene = CacheScene(.cached("one", "max-age=60, stale-if-error=600"), .status(.badGateway))
        _ = try await scene.send()
        scene.wait(90)
        #expect(try await status(scene.send()) == "Godwit; hit; ttl=-30; detail=stale-if-error")
    }

    @Test("C7 what the caches on the way say stays in the response")
    func onTheWay() async throws {
        let scene = CacheScene(MockResponse.text("a").field("Cache-Status", "CDN; hit; ttl=7"))
        let response = try await scene.send()
        #expect(response.head.fields.cacheStatus.map(\.cache) == ["CDN"])
        #expect(status(response) == "Godwit; fwd=miss; stored")
    }

    @Test(
        "C1 a cache shows stored Set-Cookie fields only if it is told to (RFC 9111 section 7.3)",
        arguments: [false, true])
    func setCookie(keeps: Bool) async throws {
        let mock = MockTransport { _ in .cached("a", "max-age=60").field(.setCookie, "a=1") }
        let chain = Chain([Caching(MemoryCacheStore(), keepsSetCookie: keeps)], over: mock)
        let request = HTTPRequest(url: try HTTPURL("https://example.com/"))
        #expect(try await chain.send(request).head.fields[.setCookie] == "a=1")
        let stored = try await chain.send(request)
        #expect(stored.metrics.source == .cache)
        #expect(stored.head.fields[.setCookie] == (keeps ? "a=1" : nil))
    }
}
