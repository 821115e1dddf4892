import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 a search whose results are kept across launches", .timeLimit(.minutes(15)))
@MainActor
struct StoredSearchTests {
    private let server = NoteServer()
    private let models = MemoryModelStore()
    private let date = Watched(Date(timeIntervalSince1970: 1_800_000_000))

    /// The search of another launch of the app, whose text is a note's number.
    private func search(_ api: APIClient? = nil) -> SearchModel<Note> {
        date.update { $0 += 1000 }
        let queries = QueryStore(api ?? server.client(), models: models, now: { [date] in date.value })
        return SearchModel(queries, clock: TestClock()) { .note(Int($0) ?? 0) }
    }

    private func submit(_ text: String, _ search: SearchModel<Note>) async {
        search.text = text
        await search.submit()
    }

    @Test("V5 C4 with models, stored results of a text are shown while it loads")
    func whileLoading() async throws {
        await submit("2", search())
        let search = search()
        await submit("1", search)
        server.hold()
        search.text = "2"
        let task = Task { await search.submit() }
        try await server.waitForRequests(3)
        #expect(search.state.isLoading && search.value?.id == 2 && search.searchedText == "2")
        server.state.update { $0.notes[2]?.version = 9 }
        server.release()
        await task.value
        #expect(search.state.isLoaded && search.value?.version == 9)
    }

    @Test("V5 C4 without a network, the stored results stay with the error, and while the next text loads")
    func offline() async throws {
        await submit("2", search())
        let search = search()
        await submit("1", search)
        server.state.update { $0.isOffline = true }
        await submit("2", search)
        #expect(search.state.error?.kind == .offline(.noPath) && search.value?.id == 2 && search.searchedText == "2")
        let history = History { search.searchedText }
        server.hold()
        search.text = "3"
        let task = Task { await search.submit() }
        try await server.waitForRequests(4)
        #expect(search.state.isLoading)
        search.cancel()
        await task.value
        history.catchUp()
        #expect(history.values == ["2"])
        server.release()
        await submit("3", search)
        #expect(search.state.error != nil && search.searchedText == "2")
    }

    @Test("V5 the results of a text that was cleared aren't shown while the next one loads")
    func cleared() async throws {
        let search = search()
        await submit("1", search)
        search.text = ""
        server.hold()
        let history = History { search.value?.id }
        search.text = "2"
        let task = Task { await search.submit() }
        try await server.waitForRequests(2)
        server.release()
        await task.value
        history.catchUp()
        #expect(history.values == [nil, 2])
    }

    @Test("V5 A6 C4 stored results of one account are not shown to the next")
    func account() async throws {
        let api = server.client {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let search = search(api)
        await submit("2", search)
        try await api.signIn(AccessToken(access: "bob"))
        server.state.update { $0.isOffline = true }
        await submit("2", search)
        #expect(search.value == nil && search.state.error?.kind == .offline(.noPath))
    }
}
