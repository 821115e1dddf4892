import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 events while a value is on its way", .timeLimit(.minutes(15)))
@MainActor
struct QueryEventTests {
    private let server = NoteServer()
    private let queries: QueryStore

    init() {
        queries = QueryStore(server.client())
    }

    /// Sends events of a value faster than the server answers, the last one of version 20.
    private func sendEvents(from first: Int) async throws {
        for number in first..<first + 3 {
            server.change(1, to: number + 10, in: queries)
            server.answer(number)
            try await server.waitForRequests(number + 2)
            server.execute(number + 1)
        }
        server.change(1, to: 20, in: queries)
    }

    @Test("V5 a first value that an event changed on its way is requested again; that of another one isn't")
    func first() async throws {
        let (note, other) = (Loader(queries, .note(1)), Loader(queries, .note(2)))
        let versions = History { note.value?.version }
        let load = try await server.begin { await note.load() }
        let otherLoad = try await server.begin { await other.load() }
        server.change(1, to: 8, in: queries)
        server.release()
        await load.value
        await otherLoad.value
        versions.catchUp()
        #expect(versions.values == [nil, 8])
        #expect(server.count("GET /notes/1") == 2 && server.count("GET /notes/2") == 1)
    }

    @Test("V5 events faster than the server: a first value is requested three times again, and then shown as stale")
    func firstFast() async throws {
        let note = Loader(queries, .note(1))
        let load = try await server.begin { await note.load() }
        try await sendEvents(from: 0)
        server.release()
        await load.value
        #expect(note.value?.version == 12 && note.isStale && server.log.count == 4)
        await note.load()
        #expect(note.value?.version == 20 && !note.isStale && server.log.count == 5)
    }

    @Test("V5 events faster than the server: the last one stays as a stale value, and is not replaced by an older one")
    func laterFast() async throws {
        let note = await queries.loaded(1)
        let versions = History { note.value?.version }
        let refresh = try await server.begin { await note.refresh() }
        try await sendEvents(from: 1)
        server.release()
        await refresh.value
        versions.catchUp()
        #expect(versions.values.last == 20 && versions.values == versions.values.sorted { ($0 ?? 0) < ($1 ?? 0) })
        #expect(note.isStale && note.state.isLoaded && server.log.count == 5)
        await note.load()
        #expect(!note.isStale && server.log.count == 6)
    }

    @Test("V5 C4 nor is an older one shown by a store with models")
    func storedFast() async throws {
        let models = MemoryModelStore()
        await Loader(QueryStore(server.client(), models: models), .note(1)).load()
        let queries = QueryStore(server.client(), models: models, now: { Date() + 1000 })
        let note = Loader(queries, .note(1))
        let versions = History { note.value?.version }
        let load = try await server.begin { await note.load() }
        for number in 1..<5 {
            server.state.update { $0.notes[1]?.version = number + 10 }
            queries.set { changes in changes.update(Note.self, id: 1) { $0.version = number + 10 } }
            server.answer(number)
            guard number < 4 else { break }
            try await server.waitForRequests(number + 2)
            server.execute(number + 1)
        }
        server.release()
        await load.value
        versions.catchUp()
        #expect(note.value?.version == 14 && note.isStale && server.log.count == 5)
        #expect(versions.values.compactMap(\.self) == versions.values.compactMap(\.self).sorted())
    }
}
