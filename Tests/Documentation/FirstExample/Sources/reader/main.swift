import Godwit

nonisolated struct Article: Decodable {
    let id: Int
    let title: String
}

extension Endpoint {
    static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }
}

let api = APIClient(baseURL: "http://127.0.0.1:8080/v1")
let article = try await api.send(.article(id: 42))
print(article.title)
