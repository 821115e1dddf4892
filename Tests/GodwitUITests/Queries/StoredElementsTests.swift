import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 changes of lists that are there after a restart", .timeLimit(.minutes(15)))
@MainActor
struct StoredElementsTests {
    private let server = NoteServer()
    private let models = WatchedModels()
    private let date = Watched(Date(timeIntervalSince1970: 1_800_000_000))

    /// The store of another launch of the app.
    private func store() -> QueryStore {
        date.update { $0 += 10 }
        return QueryStore(server.client(), models: models, now: { [date] in date.value })
    }

    private func list(_ queries: QueryStore) -> PageLoader<Note> {
        PageLoader(queries, .cursor { .notes(after: $0) })
    }

    /// A list of two pages.
    private func loaded(_ queries: QueryStore) async -> PageLoader<Note> {
        let list = list(queries)
        await list.load()
        await list.loadMore()
        date.update { $0 += 10 }
        return list
    }

    /// What the next launch shows without a network.
    private func shownNext() async -> [Note] {
        server.state.update { $0.isOffline = true }
        let list = list(store())
        await list.load()
        #expect(list.isStale && list.error?.kind == .offline(.noPath))
        server.state.update { $0.isOffline = false }
        return list.items
    }

    @Test("V5 C4 an element that a confirmed mutation removed or changed stays so after a restart without a network")
    func mutations() async throws {
        let queries = store()
        let list = await loaded(queries)
        try await queries.mutate(.remove(2)) { $0.remove(Note.self, id: 2) }
        try await queries.mutate(.mark(3, 7)) { $0.update(Note.self, id: 3) { $0.marks = [7] } }
        try await models.waitForElements(writes: 2)
        #expect(list.items.map(\.id) == [1, 3, 4, 5, 6])
        let next = await shownNext()
        #expect(next.prefix(2).map(\.id) == [1, 3] && next[1].marks == [7])
    }

    @Test("V5 C4 an event and an edit without the server are kept too, and a refused mutation isn't")
    func others() async throws {
        let queries = store()
        let list = await loaded(queries)
        queries.set { $0[list].insert(Note(id: 90, owner: "ann"), at: 0) }
        list.edit { notes in notes.removeAll { $0.id == 3 } }
        server.state.update { $0.refusal = .forbidden }
        _ = try? await queries.mutate(.remove(1)) { $0.remove(Note.self, id: 1) }
        try await models.waitForElements(writes: 2)
        #expect(await shownNext().map(\.id).prefix(3) == [90, 1, 2])
    }

    @Test("V5 C4 a page that is read after the change replaces it, in the models too")
    func newer() async throws {
        let queries = store()
        let list = await loaded(queries)
        list.edit { notes in notes.removeAll { $0.id == 2 } }
        try await models.waitForElements(writes: 1)
        date.update { $0 += 10 }
        await list.refresh()
        #expect(await shownNext().map(\.id) == [1, 2, 3])
    }

    @Test("V5 C4 an event about an element that a list doesn't have writes nothing")
    func untouched() async throws {
        let queries = store()
        let list = await loaded(queries)
        queries.set { $0.update(Note.self, id: 7) { $0.marks = [7] } }
        list.edit { notes in notes.removeAll { $0.id == 2 } }
        try await models.waitForElements(writes: 1)
        #expect(models.writes.value.count { $0.hasPrefix("elements") } == 1)
    }

    @Test("V5 A6 C4 elements of one account are not shown to the next")
    func account() async throws {
        let tokens = MemoryTokenStore(AccessToken(access: "ann"))
        let api = server.client { $0.authentication = .refreshing(tokens) { _, old in old } }
        let queries = QueryStore(api, models: models, now: { [date] in date.value })
        let list = await loaded(queries)
        list.edit { notes in notes.removeAll { $0.id == 2 } }
        try await models.waitForElements(writes: 1)
        try await api.signIn(AccessToken(access: "bob"))
        server.state.update { $0.isOffline = true }
        let next = self.list(QueryStore(api, models: models, now: { [date] in date.value }))
        await next.load()
        #expect(next.items.isEmpty)
    }
}

/// A store of models that reports its writes.
private final class WatchedModels: ModelStore {
    private let models = MemoryModelStore()
    /// The keys that were written.
    let writes = Watched<[String]>([])

    func model(for key: String) async -> StoredModel? { await models.model(for: key) }

    func store(_ model: StoredModel, for key: String) async {
        await models.store(model, for: key)
        writes.update { $0.append(key) }
    }

    func removeModel(for key: String) async { await models.removeModel(for: key) }

    func removeAll() async { await models.removeAll() }

    /// Waits for the elements of lists to be written so often.
    func waitForElements(writes count: Int) async throws {
        try await writes.wait { $0.count { $0.hasPrefix("elements") } >= count }
    }
}
