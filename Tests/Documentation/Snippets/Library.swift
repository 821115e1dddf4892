import Godwit

// What the snippets speak of, so that they compile.
nonisolated struct Article: Codable, Sendable, Equatable {
    var id = 0
    var title: String
}

nonisolated struct Draft: Codable, Sendable, Equatable {
    var title: String
}

nonisolated struct Login: Encodable, Sendable {
    var user: String
    var password: String
}

// snippet: catalogue
extension Endpoint {
    static func articles(page: Int) -> Endpoint<[Article]> { .get("articles", query: ["page": page]) }
    static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }  // a value is one encoded segment
    static func create(_ draft: Draft) -> Endpoint<Article> { .post("articles", body: .json(draft)) }
    static func delete(id: Int) -> Endpoint<Void> { .delete("articles/\(id)") }
    static func login(_ login: Login) -> Endpoint<String> { .post("login", body: .json(login)).timeout(.seconds(5)) }
    static var export: Endpoint<Void> { .get("export") }
}
// end
