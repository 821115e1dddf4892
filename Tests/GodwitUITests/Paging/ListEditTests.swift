import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 edits of a list during a mutation", .timeLimit(.minutes(15)))
@MainActor
struct ListEditTests {
    private let server = NoteServer()
    private let queries: QueryStore

    init() {
        queries = QueryStore(server.client())
    }

    /// The first six notes, on a server that then holds requests.
    private func list() async -> PageLoader<Note> {
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        await list.loadMore()
        server.hold()
        return list
    }

    /// Starts a mutation. Returns once its request is held.
    private func mutation(_ change: @escaping @MainActor (QueryChanges) -> Void) async throws -> Task<Note?, Never> {
        let count = server.log.count
        let task = Task { try? await queries.mutate(.mark(2, 9), change) }
        try await server.waitForRequests(count + 1)
        return task
    }

    private func finish(_ mutation: Task<Note?, Never>, refusedWith refusal: HTTPStatus? = nil) async {
        server.state.update { $0.refusal = refusal }
        let number = server.log.count - 1
        server.execute(number)
        server.answer(number)
        _ = await mutation.value
    }

    /// Marks the second element, removes the third, and inserts one.
    private func pending(in list: PageLoader<Note>) async throws -> Task<Note?, Never> {
        try await mutation { changes in
            changes.update(Note.self, id: 2) { $0.marks.insert(9) }
            changes.remove(Note.self, id: 3)
            changes[list].insert(Note(id: 100, owner: "new"), at: 0)
        }
    }

    /// Moves, changes, inserts and removes elements.
    private func edit(_ list: PageLoader<Note>) {
        list.edit { notes in
            notes[1].owner = "edited"
            notes.removeAll { $0.id == 4 }
            notes.insert(notes.remove(at: 3), at: 1)
            notes.insert(Note(id: 50, owner: "event"), at: 4)
        }
    }

    @Test("V5 an edit changes the list as it is shown, with the effect of a mutation that isn't confirmed")
    func shown() async throws {
        let list = await list()
        let mutation = try await pending(in: list)
        #expect(list.items.map(\.id) == [100, 1, 2, 4, 5, 6])
        edit(list)
        #expect(list.items.map(\.id) == [100, 5, 1, 2, 50, 6])
        #expect(list.items[2].owner == "edited" && list.items[3].marks == [9])
        await finish(mutation)
        #expect(list.items.map(\.id) == [100, 5, 1, 2, 50, 6] && list.items[3].marks == [9])
    }

    @Test("V5 if the mutation is refused, the edit remains, and what the mutation removed is where it was")
    func refused() async throws {
        let list = await list()
        let mutation = try await pending(in: list)
        edit(list)
        await finish(mutation, refusedWith: .forbidden)
        #expect(list.items.map(\.id) == [5, 1, 2, 3, 50, 6])
        #expect(list.items.map(\.owner) == ["ann", "edited", "ann", "ann", "event", "ann"])
        #expect(list.items.allSatisfy { $0.marks.isEmpty })
    }

    @Test("V5 an edit can remove the element before one that a mutation removed; what that inserted is inserted again")
    func neighbors() async throws {
        let list = await list()
        let mutation = try await mutation { changes in
            changes.remove(Note.self, id: 1)
            changes.remove(Note.self, id: 3)
            changes[list].append(Note(id: 100, owner: "new"))
        }
        list.edit { notes in
            notes.removeAll { $0.id == 2 || $0.id == 100 }
            notes.insert(Note(id: 50, owner: "event"), at: 0)
        }
        #expect(list.items.map(\.id) == [50, 4, 5, 6, 100])
        await finish(mutation, refusedWith: .forbidden)
        #expect(list.items.map(\.id) == [1, 3, 50, 4, 5, 6])
    }

    @Test("V5 an element that an edit changed while a mutation changes another one keeps both changes")
    func changed() async throws {
        let list = await list()
        let mutation = try await mutation { changes in changes.update(Note.self, id: 2) { $0.marks.insert(9) } }
        list.edit { notes in
            for index in notes.indices where notes[index].id != 2 { notes[index].version += 10 }
        }
        await finish(mutation, refusedWith: .forbidden)
        #expect(list.items.map(\.version) == [11, 1, 11, 11, 11, 11] && list.items[1].marks == [])
    }
}
