import Godwit
import GodwitTesting
import Testing

enum ReadmeSnippets {
    static func configuration() -> APIClient {
        // snippet: configuration
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.json = JSONCoding(keys: .snakeCase)
            $0.defaultFields[.acceptLanguage] = "de"
            $0.timeouts.call = .seconds(30)  // with retries and redirects
            $0.logging.level = .basic
        }
        // end
        return api
    }

    static func firstCall() async throws {
        // snippet: first-call
        let api = APIClient(baseURL: "https://api.example.com/v1")
        let article: Article = try await api.send(.get("articles/42"))
        // end
        print(article)
    }

    static func calls(_ api: APIClient, _ ids: [Int]) async throws {
        // snippet: calls
        let article = try await api.send(.article(id: 42))
        let response = try await api.response(for: .article(id: 42))  // .value, .head, .metrics, .request
        let articles = try await ids.concurrentMap(limit: 6) { try await api.send(.article(id: $0)) }
        for try await article in api.stream(.export).jsonLines(of: Article.self) { print(article.title) }
        // end
        print(article, response.head.status, articles.count)
    }

    static func mock() async throws {
        // snippet: mock
        let mock = MockTransport { $0.when(.get, "/v1/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: mock)
        let article = try await api.send(.article(id: 1))
        #expect(article.title == "Tides")
        #expect(mock.requests.map(\.path) == ["/v1/articles/1"])
        // end
    }
}
