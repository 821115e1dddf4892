import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 values that a mutation makes stale", .timeLimit(.minutes(15)))
@MainActor
struct PathInvalidationTests {
    /// The same resource as another value.
    private struct Marks: Codable, Sendable {
        let marks: Set<Int>
    }

    private let server = NoteServer()
    private let queries: QueryStore

    init() {
        queries = QueryStore(server.client())
    }

    private func finish(_ number: Int) {
        server.execute(number)
        server.answer(number)
    }

    @Test("V5 C4 a mutation doesn't load what it confirms, but the other values of its path")
    func others() async throws {
        let note = Loader(queries, .note(1))
        let marks = Loader(queries, Endpoint<Marks>.get("notes/1", query: ["fields": "marks"]))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await note.load()
        await marks.load()
        await list.load()
        try await queries.mutate(.mark(1, 5)) {
            $0[.note(1)]?.marks.insert(5)
        } confirming: {
            $0[.note(1)] = $1
        }
        await until { !note.isLoading && !marks.isLoading && !list.isLoading }
        #expect(note.value?.version == 2 && marks.value?.marks == [5] && list.items.first?.marks == [5])
        #expect(server.count("GET /notes/1") == 3 && server.count("GET /notes") == 2)
    }

    @Test("V5 C4 nor does one that shows its effect when the server confirms it")
    func confirming() async throws {
        let note = Loader(queries, .note(1))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await note.load()
        await list.load()
        try await queries.mutate(.mark(1, 5)) { changes, note in
            changes.update(Note.self, id: 1) { $0 = note }
        }
        #expect(!note.isLoading && !list.isLoading && !note.isStale && !list.isStale)
        #expect(note.value?.version == 2 && list.items.first?.version == 2 && server.log.count == 3)
    }

    @Test("V5 C4 a list that the confirmed element is inserted into isn't read again")
    func inserted() async throws {
        let server = ShelfServer(8)
        let queries = QueryStore(server.api)
        let list = PageLoader(queries, .cursor { .rows(after: $0) })
        await list.load()
        try await queries.mutate(.addRow(1000)) { changes, row in changes[list].insert(row, at: 0) }
        #expect(!list.isLoading && !list.isStale && list.items.map(\.id) == [1000, 0, 1, 2, 3])
        #expect(server.asked.count == 1)
    }

    @Test("V5 C4 the values of a change that was accepted with a response that can't be read are loaded again")
    func unreadable() async throws {
        let note = Loader(queries, .note(1))
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await note.load()
        await list.load()
        await #expect(throws: NetworkError.self) {
            try await queries.mutate(Endpoint<NotePage>.patch("notes/1", body: .json(["mark": 5]))) { _ in }
        }
        await until { note.value?.marks == [5] && list.items.first?.marks == [5] }
        #expect(server.log.count == 5)
    }

    @Test("V5 C4 a request that something else sends during a mutation makes its value stale")
    func elsewhere() async throws {
        let note = await queries.loaded(1)
        server.hold()
        let mutation = Task {
            try await queries.mutate(.mark(1, 5)) {
                $0[.note(1)]?.marks.insert(5)
            } confirming: {
                $0[.note(1)] = $1
            }
        }
        try await server.waitForRequests(2)
        server.execute(1)
        let other = Task { [api = queries.api] in try await api.send(.mark(1, 6)) }
        try await server.waitForRequests(3)
        finish(2)
        _ = try await other.value
        server.answer(1)
        _ = try await mutation.value
        try await server.waitForRequests(4)
        server.release()
        await note.load()
        #expect(note.value?.marks == [5, 6] && note.value?.version == 3)
    }

    @Test("V5 a change that is refused because of another version reads the lists again that it had changed")
    func lists() async throws {
        for refusal in [HTTPStatus.conflict, .preconditionFailed] {
            let server = NoteServer()
            let queries = QueryStore(server.client())
            let list = PageLoader(queries, .cursor { .notes(after: $0) })
            let rest = PageLoader(queries, .cursor { .notes(after: $0 ?? "3") })
            await list.load()
            await rest.load()
            server.state.update {
                $0.notes[1]?.version = 7
                $0.refusal = refusal
            }
            await #expect(throws: NetworkError.self) {
                try await queries.mutate(.mark(1, 5)) { $0.update(Note.self, id: 1) { $0.marks.insert(5) } }
            }
            await until { !list.isLoading && !rest.isLoading }
            #expect(list.items.first?.version == 7 && list.items.first?.marks == [])
            #expect(server.count("GET /notes") == 3)
        }
    }

    @Test("V5 a change that is refused because of another version throws when that one is loaded")
    func waits() async throws {
        for refusal in [HTTPStatus.conflict, .preconditionFailed] {
            let server = NoteServer()
            let queries = QueryStore(server.client())
            await Loader(queries, .note(1)).load()
            server.hold()
            server.state.update {
                $0.notes[1]?.version = 7
                $0.refusal = refusal
            }
            let mutation = Task { () -> Int? in
                _ = try? await queries.mutate(.mark(1, 5)) { $0[.note(1)]?.marks.insert(5) }
                return queries.value(of: .note(1))?.version
            }
            try await server.waitForRequests(2)
            server.execute(1)
            server.answer(1)
            try await server.waitForRequests(3)
            server.release()
            #expect(await mutation.value == 7)
            #expect(queries.value(of: .note(1))?.marks == [])
        }
    }
}
