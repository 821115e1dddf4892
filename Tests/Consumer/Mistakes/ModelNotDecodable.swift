import Godwit

struct Article {
    let id: Int
}

extension Endpoint {
    static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }
}
