import GodwitStorage
import TestSupport
import Testing

/// What holds for every store of responses.
@Suite("C2 stores of responses", .timeLimit(.minutes(15)))
struct CacheStoreTests {
    private let folder = TemporaryFolder()

    @Test("C2 the least recently used response is evicted first, within the limit", arguments: StoreKind.allCases)
    func recency(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder, limit: 4200)
        for path in ["a", "b", "c"] { await store.store(try response(path)) }
        #expect(try await store.has("a"))
        await store.store(try response("d"))
        #expect(await paths(store) == ["/a", "/c", "/d"])
        #expect(await store.byteCount() <= 4200)
    }

    @Test(
        "C2 a response larger than the limit is not stored, and removes only the one that it replaces",
        arguments: StoreKind.allCases)
    func tooLarge(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder, limit: 4200)
        for path in ["a", "b"] { await store.store(try response(path)) }
        await store.store(try response("a", 5000))
        #expect(await paths(store) == ["/b"])
        let none = try kind.store(in: TemporaryFolder(), limit: 0)
        await none.store(try response("a", 0))
        #expect(await paths(none).isEmpty)
    }

    @Test("C2 a response replaces the one of the same URL and variant only", arguments: StoreKind.allCases)
    func variants(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder)
        for (variant, size) in [("x", 1), ("y", 2), ("x", 3)] {
            await store.store(try response("a", size, variant: variant))
        }
        let url = try HTTPURL("https://example.com/a")
        #expect(await store.responses(for: url).map(\.body.count).sorted() == [2, 3])
        await store.remove(try response("a", variant: "y"))
        #expect(await store.responses(for: url).map(\.body.count) == [3])
    }

    @Test("C2 the variants of one URL stay within the limit, the latest ones kept", arguments: StoreKind.allCases)
    func manyVariants(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder, limit: 4200)
        for number in 0..<50 { await store.store(try response("a", variant: "\(number)")) }
        let kept = await store.responses(for: try HTTPURL("https://example.com/a"))
        #expect(kept.map(\.variant).sorted() == ["47", "48", "49"])
        #expect(await store.byteCount() <= 4200)
    }

    @Test("C2 one URL, or everything, can be removed", arguments: StoreKind.allCases)
    func removal(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder)
        for path in ["a", "b", "c"] { await store.store(try response(path)) }
        await store.removeAll(for: try HTTPURL("https://example.com/b"))
        #expect(await paths(store) == ["/a", "/c"])
        await store.removeAll()
        #expect(await paths(store).isEmpty)
        #expect(await store.byteCount() == 0)
        await store.store(try response("d"))
        #expect(await paths(store) == ["/d"])
    }

    @Test(
        "C2 any order of operations keeps the count right and the limit",
        arguments: zip(StoreKind.allCases, [3000, 400]))
    func random(_ kind: StoreKind, operations: Int) async throws {
        let store = try kind.store(in: folder, limit: 20_000)
        var seed: UInt64 = 9111
        for _ in 0..<operations {
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
        guard kind == .disk else { return }
        #expect(try folder.query("SELECT count(*) = (SELECT count(*) FROM records) FROM bodies") == "1")
    }
}
