// expect: the endpoint's response type isn't the type that is expected here
import Godwit

extension Endpoint {
    static func article(id: Int) -> Endpoint<String> { .get("articles/\(id)") }
}

extension Endpoint<String> {
    static func page(id: Int) -> Self { .get("articles/\(id)") }
}

func program(api: APIClient) async throws -> Int {
    let article: Int = try await api.send(.article(id: 42))
    let response: Response<Int> = try await api.response(for: .page(id: 42))
    _ = (article, response)
    return try await api.send(.page(id: 42))
}
