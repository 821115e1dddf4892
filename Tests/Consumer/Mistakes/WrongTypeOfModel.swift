// expect: cannot convert value of type 'String' to specified type 'Int'
import Godwit

extension Endpoint<String> {
    static func article(id: Int) -> Self { .get("articles/\(id)") }
}

func program(api: APIClient) async throws {
    let article: Int = try await api.send(.article(id: 42))
    _ = article
}
