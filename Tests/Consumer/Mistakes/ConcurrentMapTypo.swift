// expect: has no member 'artcle'
import Godwit

extension Endpoint {
    static func article(id: Int) -> Endpoint<String> { .get("articles/\(id)") }
}

func program(api: APIClient) async throws {
    let articles = try await [1, 2].concurrentMap(limit: 6) { try await api.send(.artcle(id: $0)) }
    _ = articles
}
