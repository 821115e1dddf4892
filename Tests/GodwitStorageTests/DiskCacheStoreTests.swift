import GodwitStorage
import GodwitTesting
import TestSupport
import Testing

@Suite("C2 the disk store", .timeLimit(.minutes(15)))
struct DiskCacheStoreTests {
    let folder = TemporaryFolder()

    private func store(limit: Int = 1 << 20) throws -> DiskCacheStore {
        try DiskCacheStore(directory: folder.url, limit: limit)
    }

    @Test("C2 a response is read as it was stored, also after a restart")
    func roundTrip() async throws {
        let url = try HTTPURL("https://example.com/a%20b?q=%C3%A4&x")
        let stored = CachedResponse(
            url: url, variant: "accept: text/plain\naccept-language", status: try #require(HTTPStatus(203)),
            fields: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "ETag": "\"a:b\"", "X": "", "Set-Cookie": "ä=1; Path=/"],
            body: Data((0..<3000).map { UInt8(truncatingIfNeeded: $0) }),
            requestTime: Date(timeIntervalSince1970: 784_111_777.123_456),
            responseTime: Date(timeIntervalSince1970: 1e9))
        let empty = CachedResponse(
            url: url, variant: "", status: .noContent, fields: [:], body: Data(), requestTime: .distantPast,
            responseTime: .distantFuture)
        let first = try store()
        for response in [stored, empty] { await first.store(response) }
        #expect(await Set(first.responses(for: url)) == [stored, empty])
        let second = try store()
        #expect(await Set(second.responses(for: url)) == [stored, empty])
        #expect(await second.urls() == [url])
        #expect(await second.byteCount() == stored.byteCount + empty.byteCount)
    }

    @Test("C2 uses count after a restart")
    func recencyLater() async throws {
        do {
            let store = try store(limit: 4200)
            for path in ["a", "b", "c"] { await store.store(try response(path)) }
            #expect(try await store.has("a"))
        }
        let store = try store(limit: 4200)
        await store.store(try response("d"))
        #expect(await paths(store) == ["/a", "/c", "/d"])
    }

    @Test("C2 many uses are written down without waiting for a change")
    func manyUses() async throws {
        let store = try store(limit: 1 << 20)
        for number in 0..<520 { await store.store(try response("\(number)", 10)) }
        let before = try folder.query("SELECT max(use) FROM records")
        for number in 0..<520 { _ = try await store.has("\(number)") }
        #expect(try folder.query("SELECT max(use) FROM records") != before)
    }

    @Test("C2 a hit writes nothing")
    func hits() async throws {
        let store = try store()
        await store.store(try response("a"))
        let before = folder.size(of: "responses.sqlite-wal")
        for _ in 0..<100 { #expect(try await store.has("a")) }
        #expect(folder.size(of: "responses.sqlite-wal") == before)
        #expect(try folder.query("SELECT use FROM records") == "1")
    }

    @Test("C2 many tasks may use a store immediately")
    func tasks() async throws {
        let store = try store()
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    await store.store(try response("\(number)", number))
                    #expect(try await store.has("\(number)"))
                }
            }
            try await group.waitForAll()
        }
        #expect(await store.urls().count == 50)
    }

    @Test("C2 fields that no server can have sent are not stored, nor what they replace kept")
    func smuggled() async throws {
        let store = try store()
        let url = try HTTPURL("https://example.com/a")
        await store.store(try response("a"))
        await store.store(
            CachedResponse(
                url: url, variant: "", status: .ok, fields: ["X": "a\nSet-Cookie: b"], body: Data(),
                requestTime: Date(), responseTime: Date()))
        #expect(await store.responses(for: url).isEmpty)
    }

    @Test("C2 a request is answered from disk after a restart, without the server")
    func caching() async throws {
        let mock = MockTransport { $0.get("/a").reply(.text("hello").field(.cacheControl, "max-age=60")) }
        for _ in 0..<3 {
            let chain = Chain([Caching(try store())], over: mock)
            let response = try await chain.send(HTTPRequest(url: try HTTPURL("https://example.com/a")))
            #expect(try await response.body.collect(upTo: 100) == Data("hello".utf8))
        }
        #expect(mock.requests.count == 1)
    }
}
