import GodwitCore
import Testing

@Suite("C4 the memory store for models", .timeLimit(.minutes(15)))
struct MemoryModelStoreTests {
    private func model(_ bytes: Int) -> StoredModel {
        StoredModel(data: Data(count: bytes), date: Date(timeIntervalSince1970: 1))
    }

    private func keys(_ store: MemoryModelStore, of all: [String]) async -> [String] {
        var kept: [String] = []
        for key in all where await store.model(for: key) != nil { kept.append(key) }
        return kept
    }

    @Test("C4 a model is read as it was stored, and replaced by key")
    func storing() async {
        let store = MemoryModelStore()
        await store.store(model(1), for: "a")
        await store.store(model(2), for: "a")
        #expect(await store.model(for: "a") == model(2))
        #expect(await store.model(for: "b") == nil)
    }

    @Test("C4 the least recently used model is removed first")
    func recency() async {
        let store = MemoryModelStore(limit: 3500)
        for key in ["a", "b", "c"] { await store.store(model(1000), for: key) }
        #expect(await store.model(for: "a") != nil)
        await store.store(model(1000), for: "d")
        #expect(await keys(store, of: ["a", "b", "c", "d"]) == ["a", "c", "d"])
    }

    @Test("C4 many uses of few models keep their order")
    func manyUses() async {
        let store = MemoryModelStore(limit: 3500)
        for key in ["a", "b", "c"] { await store.store(model(1000), for: key) }
        for number in 0..<1000 { _ = await store.model(for: number % 2 == 0 ? "a" : "c") }
        await store.store(model(1000), for: "d")
        await store.store(model(1000), for: "e")
        #expect(await keys(store, of: ["a", "b", "c", "d", "e"]) == ["c", "d", "e"])
    }

    @Test("C4 a model above the limit is not kept, and removes the one it replaces")
    func tooLarge() async {
        let store = MemoryModelStore(limit: 2200)
        for key in ["a", "b"] { await store.store(model(1000), for: key) }
        await store.store(model(3000), for: "a")
        #expect(await keys(store, of: ["a", "b"]) == ["b"])
    }

    @Test("C4 removing one model or all frees their space")
    func removal() async {
        let store = MemoryModelStore(limit: 2200)
        for key in ["a", "b"] { await store.store(model(1000), for: key) }
        await store.removeModel(for: "a")
        await store.store(model(1000), for: "c")
        #expect(await keys(store, of: ["a", "b", "c"]) == ["b", "c"])
        await store.removeAll()
        #expect(await keys(store, of: ["a", "b", "c"]).isEmpty)
    }
}
