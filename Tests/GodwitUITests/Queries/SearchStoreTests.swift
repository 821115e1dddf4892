import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 a search whose results are shared", .timeLimit(.minutes(15)))
@MainActor
struct SearchStoreTests {
    private let mock = MockTransport { request in
        let query = request.url?.query ?? ""
        guard !query.contains("fail") else { return .status(500) }
        return .json([Note(id: 1, owner: query), Note(id: 2, owner: query)])
    }
    private let clock = TestClock()

    private func store() -> QueryStore {
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
            $0.cache = .off
        }
        return QueryStore(api, clock: clock)
    }

    private func search(_ queries: QueryStore) -> SearchModel<[Note]> {
        SearchModel(queries, clock: clock) { Endpoint<[Note]>.get("search", query: ["q": $0]) }
    }

    @Test("V5 a text that was searched for recently isn't sent again, unless the search is refreshed")
    func recent() async {
        let search = search(store())
        for text in ["owl", "tern", "owl"] {
            search.text = text
            await search.submit()
            #expect(search.value?.first?.owner == "q=\(text)" && search.searchedText == text)
        }
        #expect(mock.requests.count == 2)
        await search.refresh()
        #expect(mock.requests.count == 3 && search.state.isLoaded)
    }

    @Test("V5 mutations change the results; what is removed leaves them")
    func mutations() async {
        let queries = store()
        let search = search(queries)
        search.text = "owl"
        await search.submit()
        queries.set { $0.update(Note.self, id: 1) { $0.marks = [7] } }
        #expect(search.value?.map(\.marks) == [[7], []])
        queries.set { $0.remove(Note.self, id: 1) }
        #expect(search.value?.map(\.id) == [2])
    }

    @Test("V5 a search that fails keeps the results of the text before, and reports the error")
    func failure() async {
        let search = search(store())
        search.text = "owl"
        await search.submit()
        search.text = "fail"
        await search.submit()
        #expect(search.value?.count == 2 && search.searchedText == "owl")
        #expect(search.state.error?.shortDescription == "server")
    }

    @Test("V5 A6 another account sees neither the text nor the results")
    func account() async throws {
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let search = search(QueryStore(api, clock: clock))
        search.text = "owl"
        await search.submit()
        #expect(search.value?.count == 2)
        try await api.signIn(AccessToken(access: "bob"))
        await until { search.value == nil && search.text.isEmpty }
    }
}
