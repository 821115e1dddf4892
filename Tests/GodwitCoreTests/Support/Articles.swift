import GodwitCore

struct Article: Codable, Sendable, Hashable {
    var id: Int
    var title: String
}

struct Draft: Encodable, Sendable {
    var title: String
}

struct Login: Encodable, Sendable {
    var user: String
}

struct TokenPair: Decodable, Sendable {
    var access: String
}

struct ArticlePage: Decodable, Sendable {
    var items: [Article]
}

// The catalogue of api.md, example 1.
extension Endpoint {
    static func articles(page: Int) -> Endpoint<ArticlePage> { .get("articles", query: ["page": page]) }
    static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }
    static func create(_ draft: Draft) -> Endpoint<Article> { .post("articles", body: .json(draft)) }
    static func delete(id: Int) -> Endpoint<Void> { .delete("articles/\(id)") }
    static func login(_ login: Login) -> Endpoint<TokenPair> {
        .post("auth/login", body: .json(login)).unauthenticated()
    }
    static var export: Endpoint<Article> { .get("export") }
}
