// expect: has no member 'artcle'
import Godwit

extension Endpoint {
    static func article(id: Int) -> Endpoint<String> { .get("articles/\(id)") }
}

func program(api: APIClient) async throws {
    let article = try await api.send(.artcle(id: 42))
    _ = article
}
