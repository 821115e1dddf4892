import GodwitCore
import Testing

@Suite("C2 the memory store", .timeLimit(.minutes(5)))
struct MemoryCacheStoreTests {
    private func response(_ path: String, _ bytes: Int = 1000, variant: String = "") throws -> CachedResponse {
        CachedResponse(
            url: try HTTPURL("https://example.com/" + path), variant: variant, status: .ok, fields: [:],
            body: Data(count: bytes), requestTime: Date(), responseTime: Date())
    }

    private func paths(_ store: MemoryCacheStore) async -> [String] {
        await store.urls().map(\.path).sorted()
    }

    @Test("C2 the least recently used response is evicted first, within the limit")
    func recency() async throws {
        let store = MemoryCacheStore(limit: 4200)
        for path in ["a", "b", "c"] { await store.store(try response(path)) }
        _ = await store.responses(for: try HTTPURL("https://example.com/a"))
        await store.store(try response("d"))
        #expect(await paths(store) == ["/a", "/c", "/d"])
        #expect(await store.byteCount() <= 4200)
    }

    @Test("C2 a response larger than the limit is not stored, and removes only the one that it replaces")
    func tooLarge() async throws {
        let store = MemoryCacheStore(limit: 4200)
        for path in ["a", "b"] { await store.store(try response(path)) }
        await store.store(try response("a", 5000))
        #expect(await paths(store) == ["/b"])
        let none = MemoryCacheStore(limit: 0)
        await none.store(try response("a", 0))
        #expect(await paths(none).isEmpty)
    }

    @Test("C2 a response replaces the one of the same URL and variant only")
    func variants() async throws {
        let store = MemoryCacheStore()
        for (variant, size) in [("x", 1), ("y", 2), ("x", 3)] {
            await store.store(try response("a", size, variant: variant))
        }
        let url = try HTTPURL("https://example.com/a")
        #expect(await store.responses(for: url).map(\.body.count).sorted() == [2, 3])
        await store.remove(try response("a", variant: "y"))
        #expect(await store.responses(for: url).map(\.body.count) == [3])
    }

    @Test("C2 the variants of one URL stay within the limit, the latest ones kept")
    func manyVariants() async throws {
        let store = MemoryCacheStore(limit: 4200)
        for number in 0..<50 { await store.store(try response("a", variant: "\(number)")) }
        let kept = await store.responses(for: try HTTPURL("https://example.com/a"))
        #expect(kept.map(\.variant) == ["47", "48", "49"])
        #expect(await store.byteCount() <= 4200)
    }

    @Test("C2 one URL, or everything, can be removed")
    func removal() async throws {
        let store = MemoryCacheStore()
        for path in ["a", "b", "c"] { await store.store(try response(path)) }
        await store.removeAll(for: try HTTPURL("https://example.com/b"))
        #expect(await paths(store) == ["/a", "/c"])
        await store.removeAll()
        #expect(await paths(store).isEmpty)
        #expect(await store.byteCount() == 0)
    }

    @Test("C2 any order of operations keeps the count right and the limit")
    func random() async throws {
        let store = MemoryCacheStore(limit: 20_000)
        var seed: UInt64 = 9111
        for _ in 0..<3000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int(seed >> 33)
            let entry = try response("\(number % 13)", number % 3000, variant: "\(number % 3)")
            switch number / 64 % 8 {
            case 0: await store.remove(entry)
            case 1: await store.removeAll(for: entry.url)
            case 2, 3: _ = await store.responses(for: entry.url)
            default: await store.store(entry)
            }
            #expect(await store.byteCount() <= 20_000)
        }
        var total = 0
        for url in await store.urls() {
            total += await store.responses(for: url).reduce(0) { $0 + $1.byteCount }
        }
        #expect(await store.byteCount() == total)
    }
}
