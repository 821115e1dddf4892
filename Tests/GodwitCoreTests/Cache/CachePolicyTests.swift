import GodwitCore
import GodwitTesting
import Testing

@Suite("C3 cache policies", .timeLimit(.minutes(15)))
struct CachePolicyTests {
    private let scene = CacheScene(.cached("one", "max-age=60", etag: "\"1\""), .cached("two", "max-age=60"))

    @Test("C3 reloadIgnoringCache reads nothing, and stores the response")
    func reload() async throws {
        _ = try await scene.send()
        let response = try await scene.send(policy: .reloadIgnoringCache)
        #expect(try await response.body.text() == "two")
        #expect(response.head.fields[.age] == nil)
        #expect(scene.mock.requests.last?.fields[.ifNoneMatch] == nil)
        #expect(try await scene.text() == "two")
        #expect(scene.mock.requestCount == 2)
    }

    @Test("C3 reloadIgnoringCache removes the stored response if the new one can't be stored", arguments: [404, 200])
    func reloadRemoves(status: Int) async throws {
        let status = try #require(HTTPStatus(status))
        let scene = CacheScene(
            .cached("one", "max-age=60"), .cached("two", "no-store", status: status), .cached("three", "max-age=60"))
        _ = try await scene.send()
        #expect(try await scene.text(policy: .reloadIgnoringCache) == "two")
        #expect(try await scene.text() == "three")
    }

    @Test("C3 reloadRevalidating gets the server's failure, not what stale-if-error would allow")
    func revalidatingFailure() async throws {
        let scene = CacheScene(
            .cached("one", "max-age=60, stale-if-error=600", etag: "\"1\""),
            .cached("down", "no-store", status: .serviceUnavailable))
        _ = try await scene.send()
        #expect(try await scene.send(policy: .reloadRevalidating).head.status == .serviceUnavailable)
        #expect(try await scene.text() == "one")
    }

    @Test("C3 cacheElseLoad uses a response of any age, or else loads and stores one")
    func cacheElseLoad() async throws {
        #expect(try await scene.text(policy: .cacheElseLoad) == "one")
        scene.wait(1e6)
        #expect(try await scene.text(policy: .cacheElseLoad) == "one")
        #expect(scene.mock.requestCount == 1)
    }

    @Test("C3 cacheOnly uses a response of any age, and never loads", arguments: [HTTPMethod.get, .post])
    func cacheOnly(method: HTTPMethod) async throws {
        let miss = await #expect(throws: NetworkError.self) { try await scene.send(method, policy: .cacheOnly) }
        #expect(miss?.kind == .notCached)
        #expect(miss?.isRetryable == false)
        #expect(scene.mock.requestCount == 0)
        _ = try await scene.send()
        scene.wait(1e6)
        #expect(try await scene.text(policy: .cacheOnly) == "one")
        #expect(scene.mock.requestCount == 1)
    }

    @Test("C3 a response's metrics tell whether it is from the cache or from the server")
    func source() async throws {
        let scene = CacheScene(.cached("one", "max-age=60", etag: "\"1\""), .status(.notModified))
        #expect(try await scene.send(.get, "/a", [.cacheControl: "only-if-cached"]).metrics.source == .cache)
        #expect(try await scene.send().metrics.source == .network)
        #expect(try await scene.send(policy: .cacheOnly).metrics.source == .cache)
        #expect(try await scene.send().metrics.source == .cache)
        #expect(try await scene.send(.head).metrics.source == .cache)
        #expect(try await scene.send(policy: .reloadRevalidating).metrics.source == .network)
    }

    @Test("C3 reloadRevalidating asks the server about a fresh response")
    func revalidating() async throws {
        _ = try await scene.send()
        #expect(try await scene.text(policy: .reloadRevalidating) == "two")
        #expect(scene.mock.requests.last?.fields[.ifNoneMatch] == "\"1\"")
    }

    @Test(
        "C1 I10 a streamed response is stored once it has been read, and a streamed request can be answered from the store"
    )
    func streamed() async throws {
        let response = try await scene.send(delivery: .streamed)
        #expect(await scene.store.urls().isEmpty)
        #expect(try await response.body.text() == "one")
        #expect(try await scene.text() == "one")
        #expect(try await scene.send(delivery: .streamed).body.text() == "one")
        #expect(scene.mock.requestCount == 1)
    }

    @Test("C1 a request for a range bypasses the cache")
    func range() async throws {
        _ = try await scene.send()
        #expect(try await scene.text(.get, "/a", [.range: "bytes=0-"]) == "two")
    }

    @Test("C1 a request with a file delivery bypasses the cache")
    func file() async throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "godwit-cache-\(UInt64.random(in: 0 ... .max))")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await scene.send()
        _ = try await scene.send(delivery: .file(file))
        #expect(try Data(contentsOf: file) == Data("two".utf8))
        #expect(try await scene.text() == "one")
    }

    @Test("C1 a stored response that is larger than the request allows is an error, as from the server")
    func limit() async throws {
        _ = try await scene.send()
        let chain = scene.chain
        let request = HTTPRequest(url: try HTTPURL("https://example.com/a"), delivery: .buffered(limit: 2))
        let error = await failure { () throws(NetworkError) in try await chain.send(request) }
        #expect(error?.kind == .tooLarge(limit: 2))
    }
}
