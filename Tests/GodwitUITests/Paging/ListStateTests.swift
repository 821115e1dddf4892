import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 lists that are emptied and complete", .timeLimit(.minutes(15)))
@MainActor
struct ListStateTests {
    /// What removes elements.
    enum Removal: CaseIterable {
        case edit, event, mutation
    }

    private func list(_ server: NoteServer, _ queries: QueryStore) async -> PageLoader<Note> {
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        return list
    }

    @Test("V5 a list whose elements were all removed requests its next page itself", arguments: Removal.allCases)
    func emptied(by removal: Removal) async throws {
        let server = NoteServer()
        let queries = QueryStore(server.client())
        let list = await list(server, queries)
        for id in 1...3 { server.state.update { $0.notes[id] = nil } }
        switch removal {
        case .edit: list.edit { $0.removeAll() }
        case .event:
            for id in 1...3 { queries.set { $0.remove(Note.self, id: id) } }
        case .mutation:
            server.hold()
            let mutation = Task { try await queries.mutate(.mark(7, 1)) { $0[list] = [] } }
            await until { list.items.isEmpty }
            #expect(list.isLoading)
            server.release()
            _ = try await mutation.value
        }
        #expect(list.isLoading || removal == .mutation)
        await until { !list.isLoading }
        #expect(list.items.map(\.id) == [4, 5, 6])
        // A page that was requested before a mutation may be requested again after it.
        #expect(removal == .mutation || server.log == ["GET /notes", "GET /notes"])
    }

    @Test("V5 an emptied list that is complete, or that failed, requests nothing")
    func ends() async {
        let server = NoteServer(notes: 3)
        let queries = QueryStore(server.client())
        let list = await list(server, queries)
        list.edit { $0 = [] }
        #expect(!list.isLoading && !list.hasMore)
        let other = NoteServer()
        let failed = await self.list(other, QueryStore(other.client()))
        other.state.update { $0.isOffline = true }
        await failed.loadMore()
        failed.edit { $0 = [] }
        #expect(!failed.isLoading && failed.error != nil && failed.hasMore)
    }

    @Test("V5 a complete list stays complete while it is read again, and if that fails")
    func complete() async throws {
        let server = NoteServer(notes: 3)
        let list = await list(server, QueryStore(server.client()))
        #expect(!list.hasMore)
        server.hold()
        let refresh = Task { await list.refresh() }
        try await server.waitForRequests(2)
        #expect(list.isLoading && !list.hasMore)
        server.fail(1, .transport(.connectionLost("")))
        await refresh.value
        #expect(list.error != nil && !list.hasMore)
        await list.loadMore()
        #expect(server.log.count == 2)
        server.release()
        server.state.update { $0.notes[4] = Note(id: 4, owner: "ann") }
        await list.retry()
        #expect(list.error == nil && list.hasMore)
        await list.loadMore()
        #expect(list.items.map(\.id) == [1, 2, 3, 4] && !list.hasMore)
    }
}
