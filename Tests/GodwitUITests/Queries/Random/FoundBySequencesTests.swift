import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 what random sequences have found", .timeLimit(.minutes(5)))
@MainActor
struct FoundBySequencesTests {
    private let server = NoteServer()

    @Test("V5 a creation that is confirmed while the first page is of unknown age is shown as the server's element")
    func confirmedCreation() async throws {
        let queries = QueryStore(server.client())
        let list = PageLoader(queries, .cursor { .newest(after: $0) })
        server.hold()
        let creation = Task {
            try await queries.mutate(.create(4)) { changes in
                changes[list].insert(Note(id: -4, owner: "ann", marks: [4]), at: 0)
            } confirming: { changes, note in
                changes[list] = [note] + changes[list].filter { $0.id != -4 }
            }
        }
        try await server.waitForRequests(1)
        let load = Task { await list.load() }
        try await server.waitForRequests(2)
        server.execute(1)
        server.answer(1)
        await until { list.items.map(\.id) == [-4, 7, 6, 5] }
        server.execute(0)
        server.answer(0)
        _ = try await creation.value
        // It is read again, as it is unknown whether the page was newer.
        #expect(list.isStale)
        #expect(list.items.map(\.id) == [8, 7, 6, 5])
        load.cancel()
    }

    @Test("V5 a first value that is on its way while a mutation's response is lost is loaded again")
    func lostResponse() async throws {
        let queries = QueryStore(server.client())
        let note = Loader(queries, .note(1))
        server.hold()
        let load = Task { await note.load() }
        try await server.waitForRequests(1)
        server.execute(0)
        let mutation = Task {
            try await queries.mutate(.mark(1, 5)) { $0.update(Note.self, id: 1) { $0.marks.insert(5) } }
        }
        try await server.waitForRequests(2)
        server.execute(1)
        server.fail(1, .transport(.connectionLost("")))
        await #expect(throws: NetworkError.self) { try await mutation.value }
        server.answer(0)
        try await server.waitForRequests(3)
        server.execute(2)
        server.answer(2)
        await load.value
        #expect(note.value?.marks == [5])
    }
}
