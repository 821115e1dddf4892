// expect: cannot convert value of type 'String' to expected argument type 'Int'
import Godwit

extension Endpoint {
    static func article(id: Int) -> Endpoint<String> { .get("articles/\(id)") }
}

func program(api: APIClient, id: String) async throws {
    let article = try await api.send(.article(id: id))
    _ = article
}
