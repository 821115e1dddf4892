import Godwit
import GodwitTesting
import ReaderKit
import Testing

struct ArticlesTests {
    private func client(_ routes: (MockRoutes) -> Void) -> APIClient {
        APIClient(baseURL: "https://api.example.com/v1", transport: MockTransport(routes: routes))
    }

    @Test func article() async throws {
        let api = client { $0.get("/v1/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        #expect(try await api.send(.article(id: 1)).title == "Tides")
    }

    @Test func missing() async {
        let api = client { $0.get("/v1/articles/1").reply(.status(.notFound)) }
        let error = await #expect(throws: NetworkError.self) { try await api.send(.article(id: 1)) }
        #expect(error?.kind == .notFound)
    }

    @Test @MainActor func screen() async {
        let api = client {
            $0.get("/v1/articles").where { $0.queryValue("page") == "1" }.reply(json: [
                "items": [["id": 1, "title": "Tides"]]
            ])
            $0.get("/v1/articles").reply(json: ["items": []])
        }
        let screen = ArticlesScreen(api)
        await screen.list.load()
        await screen.list.loadMore()
        #expect(screen.list.items.map(\.title) == ["Tides"])
        #expect(!screen.list.hasMore)
    }
}
