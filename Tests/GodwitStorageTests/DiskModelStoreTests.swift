import GodwitStorage
import GodwitTesting
import TestSupport
import Testing

@Suite("C4 the disk store for models", .timeLimit(.minutes(15)))
struct DiskModelStoreTests {
    let folder = TemporaryFolder()

    private func store(limit: Int = 1 << 20) throws -> DiskModelStore {
        try DiskModelStore(directory: folder.url, limit: limit)
    }

    private func model(_ bytes: Int) -> StoredModel {
        StoredModel(data: Data(count: bytes), date: Date(timeIntervalSince1970: 784_111_777.123_456), revision: 7)
    }

    @Test("C4 a model is read as it was stored, also after a restart")
    func roundTrip() async throws {
        await (try store()).store(model(1000), for: "ä/../\u{0}b")
        #expect(await (try store()).model(for: "ä/../\u{0}b") == model(1000))
        #expect(await (try store()).model(for: "ä/../") == nil)
        let tagged = StoredModel(data: Data([1]), date: Date(timeIntervalSince1970: 1), revision: 7, etag: #"W/"ä""#)
        await (try store()).store(tagged, for: "tagged")
        #expect(await (try store()).model(for: "tagged") == tagged)
        #expect(try folder.names == ["models.sqlite"])
    }

    @Test("C4 the least recently used is evicted first")
    func recency() async throws {
        let store = try store(limit: 3500)
        for key in ["a", "b", "c"] { await store.store(model(1000), for: key) }
        #expect(await store.model(for: "a") != nil)
        await store.store(model(1000), for: "d")
        #expect(await store.model(for: "b") == nil)
        #expect(await store.model(for: "a") != nil)
    }

    @Test("C4 one model, or all, can be forgotten; responses in the same folder stay")
    func removal() async throws {
        let (models, responses) = (try store(), try DiskCacheStore(directory: folder.url))
        await responses.store(try response("a"))
        for key in ["a", "b"] { await models.store(model(1), for: key) }
        await models.removeModel(for: "a")
        #expect(await models.model(for: "a") == nil)
        #expect(await models.model(for: "b") != nil)
        await models.removeAll()
        #expect(await models.model(for: "b") == nil)
        #expect(try await responses.has("a"))
    }

    @Test("C4 a damaged file counts as a missing model")
    func damage() async throws {
        try Data("no database".utf8).write(to: folder.url.appending(path: "models.sqlite"))
        let store = try store()
        #expect(await store.model(for: "a") == nil)
        await store.store(model(1), for: "a")
        #expect(await store.model(for: "a") != nil)
        #expect(try folder.names.contains("models.sqlite.damaged"))
    }

    @Test("C4 a reading after a restart starts with what was on disk")
    func reading() async throws {
        let mock = MockTransport { $0.any("*").replies([.text("1"), .text("2")]) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        let endpoint = Endpoint<Int>.get("a")
        var readings: [Reading<Int>] = []
        for _ in 0..<2 {
            for try await reading in api.reading(endpoint, from: try store(), maxAge: .zero) {
                readings.append(reading)
            }
        }
        #expect(readings.map(\.value) == [1, 1, 2])
        #expect(readings.map(\.isStale) == [false, true, false])
        #expect(readings.map(\.source) == [.network, .store, .network])
    }
}
