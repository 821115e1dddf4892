import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 lists that are there after a restart", .timeLimit(.minutes(15)))
@MainActor
struct StoredPagesTests {
    private let server = NoteServer()
    private let models = MemoryModelStore()

    /// The list as another launch of the app has it.
    private func list(_ api: APIClient? = nil) -> PageLoader<Note> {
        PageLoader(store(api), .cursor { .notes(after: $0) })
    }

    private func store(_ api: APIClient? = nil) -> QueryStore {
        QueryStore(api ?? server.client(), models: models)
    }

    @Test(
        "V5 C4 with models, the first page is there after a restart, is read again at once, and is followed by the next"
    )
    func restart() async {
        await list().load()
        server.state.update { $0.notes[2]?.version = 9 }
        let second = list()
        let versions = History { second.items.map(\.version) }
        let flags = History { second.isStale }
        await second.load()
        versions.catchUp()
        flags.catchUp()
        #expect(versions.values == [[], [1, 1, 1], [1, 9, 1]])
        #expect(flags.values == [false, true, false])
        await second.loadMore()
        #expect(second.items.map(\.id) == [1, 2, 3, 4, 5, 6])
        #expect(server.log == ["GET /notes", "GET /notes", "GET /notes"])
    }

    @Test("V5 C4 without a network, the first page stays, with the error, and the next load reads it again")
    func offline() async {
        await list().load()
        server.state.update { $0.isOffline = true }
        let second = list()
        await second.load()
        #expect(second.items.map(\.id) == [1, 2, 3] && second.error?.kind == .offline(.noPath) && second.isStale)
        server.state.update { $0.isOffline = false }
        await second.retry()
        #expect(second.items.map(\.id) == [1, 2, 3] && second.error == nil && !second.isStale)
        await second.loadMore()
        #expect(second.items.map(\.id) == [1, 2, 3, 4, 5, 6])
    }

    @Test("V5 C4 the end of a list of an earlier launch reads it again before the next page")
    func more() async {
        await list().load()
        server.state.update { $0.notes[1] = nil }
        let second = list()
        await second.loadMore()
        #expect(second.items.map(\.id) == [2, 3, 4] && !second.isStale)
        await second.loadMore()
        #expect(second.items.map(\.id) == [2, 3, 4, 5, 6, 7])
    }

    @Test("V5 a mutation changes a page of an earlier launch")
    func mutation() async throws {
        await list().load()
        server.state.update { $0.isOffline = true }
        let queries = store()
        let second = PageLoader(queries, .cursor { .notes(after: $0) })
        await second.load()
        queries.set { $0.remove(Note.self, id: 2) }
        #expect(second.items.map(\.id) == [1, 3])
        server.state.update {
            $0.isOffline = false
            $0.notes[2] = nil
        }
        await second.load()
        #expect(second.items.map(\.id) == [1, 3, 4])
    }

    @Test("V5 A6 a page of one account is not shown to another")
    func account() async throws {
        let tokens = MemoryTokenStore(AccessToken(access: "ann"))
        func client() -> APIClient { server.client { $0.authentication = .refreshing(tokens) { _, old in old } } }
        await list(client()).load()
        let api = client()
        try await api.signIn(AccessToken(access: "bob"))
        server.state.update { $0.isOffline = true }
        let second = list(api)
        await second.load()
        #expect(second.items.isEmpty && second.error?.kind == .offline(.noPath))
    }

    @Test("V5 a list whose request can't be identified is read without models")
    func unidentified() async {
        let list = PageLoader(
            store(), Paging<NotePage>.cursor { .notes(after: $0).body(.jsonLines { AsyncStream<Int> { $0.finish() } }) }
        )
        await list.load()
        #expect(list.items.map(\.id) == [1, 2, 3] && list.error == nil)
    }
}
