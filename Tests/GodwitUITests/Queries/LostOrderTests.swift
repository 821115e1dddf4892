import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 responses that are lost, or late", .timeLimit(.minutes(15)))
@MainActor
struct LostOrderTests {
    private let server = NoteServer()

    @Test("V5 an older response isn't kept for the next launch after a mutation's newer value was")
    func olderModel() async throws {
        let (api, models) = (server.client(), MemoryModelStore())
        let queries = QueryStore(api, models: models)
        let note = await queries.loaded(1)
        server.hold()
        let refresh = Task { await note.refresh() }
        try await server.waitForRequests(2)
        let mutation = Task { try await mark(queries) }
        try await server.waitForRequests(3)
        for number in [1, 2] { server.execute(number) }
        server.answer(2)
        _ = try await mutation.value
        while try await kept(api, models)?.marks != [5] { await Task.yield() }
        server.answer(1)
        try await server.waitForRequests(4)
        #expect(try await kept(api, models)?.marks == [5])
        server.release()
        await refresh.value
    }

    @Test("V5 a removal waits for an earlier mutation of the same element, also if the store has no value with it")
    func removalOrder() async throws {
        let queries = QueryStore(server.client())
        server.hold()
        let mutation = Task { try await mark(queries) }
        try await server.waitForRequests(1)
        let removals = [
            Task { try await queries.mutate(.remove(1, 6)) { $0.remove(Note.self, id: 1) } },
            Task { try await queries.mutate(.remove(2, 7)) { $0.remove(Note.self, id: 2) } },
        ]
        try await server.waitForRequests(2)
        for _ in 0..<100 { await Task.yield() }
        #expect(server.log == ["PATCH /notes/1", "DELETE /notes/2"])
        server.release()
        _ = try await mutation.value
        for removal in removals { try await removal.value }
        #expect(server.log.last == "DELETE /notes/1")
    }

    @Test("V5 a removal of a value waits for another one, which has removed it from what is shown")
    func secondRemoval() async throws {
        let queries = QueryStore(server.client())
        let note = await queries.loaded(1)
        server.hold()
        let first = Task { try await queries.mutate(.remove(1, 6)) { $0[.note(1)] = nil } }
        try await server.waitForRequests(2)
        let second = Task { try await queries.mutate(.remove(1, 7)) { $0.remove(Note.self, id: 1) } }
        for _ in 0..<100 { await Task.yield() }
        #expect(server.count("DELETE /notes/1") == 1 && note.value == nil)
        server.release()
        try await first.value
        _ = try? await second.value
        #expect(server.count("DELETE /notes/1") == 2)
    }

    @Test("V5 insertions into a list are sent one after another, in their order")
    func insertionOrder() async throws {
        let queries = QueryStore(server.client())
        let list = PageLoader(queries, .cursor { .newest(after: $0) })
        await list.load()
        server.hold()
        let creations = [4, 5].map { mark in
            Task {
                try await queries.mutate(.create(mark)) { $0.insert(Note(id: -mark, owner: "ann"), in: list) }
            }
        }
        try await server.waitForRequests(2)
        for _ in 0..<100 { await Task.yield() }
        #expect(list.items.map(\.id) == [-5, -4, 7, 6, 5] && server.state.value.exchanges.count == 2)
        server.release()
        for creation in creations { _ = try await creation.value }
        #expect(server.state.value.exchanges.compactMap(\.mark) == [4, 5])
    }

    @Test("V5 a stored value doesn't replace one that a mutation's response has set at the same time")
    func equallyOldModel() async throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let models = OldModels(
            model: StoredModel(data: try JSONEncoder().encode(Note(id: 1, owner: "ann")), date: date))
        let queries = QueryStore(server.client(), models: models, now: { date })
        let note = await queries.loaded(1)
        try await mark(queries)
        server.hold()
        let refresh = Task { await note.refresh() }
        try await server.waitForRequests(2)
        #expect(note.value?.marks == [5])
        server.release()
        await refresh.value
    }

    /// Has one model for any key, as if another process wrote it again and again.
    private struct OldModels: ModelStore {
        let model: StoredModel

        func model(for key: String) -> StoredModel? { model }
        func store(_ model: StoredModel, for key: String) {}
        func removeModel(for key: String) {}
        func removeAll() {}
    }

    /// Marks the first note, and sets what the response says.
    private func mark(_ queries: QueryStore) async throws {
        try await queries.mutate(.mark(1, 5)) { changes in
            changes.update(Note.self, id: 1) { $0.marks.insert(5) }
        } confirming: { changes, note in
            changes.update(Note.self, id: 1) { $0 = note }
        }
    }

    private func kept(_ api: APIClient, _ models: MemoryModelStore) async throws -> Note? {
        for try await reading in api.reading(Endpoint<Note>.note(1).cachePolicy(.cacheOnly), from: models) {
            return reading.value
        }
        return nil
    }

    @Test("V5 after a lost response, values of the path are loaded again that the mutation didn't change")
    func untouched() async throws {
        let queries = QueryStore(server.client())
        let note = Loader(queries, .note(1))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await note.load()
        await list.load()
        server.hold()
        let mutation = Task { try await queries.mutate(.mark(1, 5)) { $0[.note(1)]?.marks.insert(5) } }
        try await server.waitForRequests(3)
        server.execute(2)
        server.fail(2, .transport(.connectionLost("")))
        await #expect(throws: NetworkError.self) { try await mutation.value }
        server.release()
        await until { list.items.first?.marks == [5] && note.value?.marks == [5] }
    }

    @Test("V5 a first value that arrives with a mutation's older response stays", arguments: 0..<40, [false, true])
    func firstValue(_ turns: Int, isStored: Bool) async throws {
        let queries = QueryStore(server.client(), models: isStored ? MemoryModelStore() : nil)
        let note = Loader(queries, .note(1))
        let versions = History { note.value?.version }
        server.hold()
        let mutation = Task { try await mark(queries) }
        try await server.waitForRequests(1)
        let refresh = Task { await note.refresh() }
        try await server.waitForRequests(2)
        server.execute(0)
        server.state.update { $0.notes[1]?.version += 1 }
        server.execute(1)
        server.answer(turns % 2)
        for _ in 0..<turns / 2 { await Task.yield() }
        server.answer(1 - turns % 2)
        _ = try await mutation.value
        server.release()
        await refresh.value
        await note.load()
        versions.catchUp()
        let shown = versions.values.compactMap(\.self)
        #expect(shown == shown.sorted() && note.value?.version == 3, "\(shown)")
    }

    @Test("V5 a refused mutation loads nothing again")
    func refused() async throws {
        let queries = QueryStore(server.client())
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        server.state.update { $0.refusal = .forbidden }
        await #expect(throws: NetworkError.self) {
            try await queries.mutate(.mark(1, 5)) { $0[.note(1)]?.marks.insert(5) }
        }
        #expect(server.count("GET /notes") == 1 && !list.isStale)
    }
}
