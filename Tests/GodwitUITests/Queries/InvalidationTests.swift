import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 what an invalidation reaches", .timeLimit(.minutes(15)))
@MainActor
struct InvalidationTests {
    private let server = NoteServer()

    /// What another screen needs of a note.
    private struct Owner: Codable, Sendable {
        let owner: String
    }

    @Test("V5 the invalidation of an endpoint reaches the list whose first page it is")
    func list() async {
        let queries = QueryStore(server.client())
        let list = PageLoader(queries, .cursor { .notes(after: $0) })
        await list.load()
        queries.invalidate(Endpoint<NotePage>.notes(after: nil))
        #expect(list.isLoading)
        await until { !list.isLoading }
        #expect(server.count("GET /notes") == 2)
    }

    @Test("V5 the invalidation of a list reaches a value from the request of its first page")
    func page() async {
        let queries = QueryStore(server.client())
        let page = Loader(queries, Endpoint<NotePage>.notes(after: nil))
        await page.load()
        queries.invalidate(Paging.cursor { Endpoint<NotePage>.notes(after: $0) })
        #expect(page.isLoading)
        await until { page.state.isLoaded }
    }

    @Test("V5 the invalidation of an endpoint reaches its values of other types, not those of other requests")
    func types() async {
        let queries = QueryStore(server.client())
        let (note, owner, other) = (
            Loader(queries, .note(1)), Loader(queries, Endpoint<Owner>.get("notes/1")), Loader(queries, .note(2))
        )
        for load in [note.load, owner.load, other.load] { await load() }
        queries.invalidate(.note(1))
        #expect(note.isLoading && owner.isLoading && !other.isLoading)
        await until { note.state.isLoaded && owner.state.isLoaded }
        queries.invalidate(Endpoint<Owner>.get("notes/1"))
        #expect(note.isLoading && owner.isLoading && !other.isLoading)
        await until { note.state.isLoaded && owner.state.isLoaded }
    }

    @Test(
        "V5 the invalidation of a query in a body leaves those with other bodies; a POST that reads makes nothing stale"
    )
    func bodies() async {
        let mock = MockTransport {
            $0.path == "/page" ? .json([Note(id: 1, owner: "ann")]) : .json(Owner(owner: "ann"))
        }
        let queries = QueryStore(
            APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 })
        func owner(_ id: Int) -> Endpoint<Owner> { .post("query", body: .json(["id": id])) }
        let (first, second) = (Loader(queries, owner(1)), Loader(queries, owner(2)))
        let page = Paging.numbers { _ in Endpoint<[Note]>.post("page", body: .json(["all": true])) }
        let list = PageLoader(queries, page)
        await first.load()
        await second.load()
        await list.load()
        #expect(!first.isLoading && !first.isStale && !second.isLoading && !list.isStale && mock.requests.count == 3)
        queries.invalidate(owner(1))
        #expect(first.isLoading && !second.isLoading)
        await until { first.state.isLoaded }
        #expect(mock.requests.count == 4)
    }
}
