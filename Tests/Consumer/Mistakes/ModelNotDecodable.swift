// expect: the response type is not Decodable: declare 'nonisolated struct …: Decodable'
// never: 'Self' constraint
import Godwit

struct Article {
    let id: Int
}

extension Endpoint {
    static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }
}
