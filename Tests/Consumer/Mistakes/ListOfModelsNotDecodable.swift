// expect: the response type is not Decodable: declare 'nonisolated struct …: Decodable'
// never: no exact matches
import Godwit

struct Article {
    let id: Int
}

extension Endpoint {
    static func articles() -> Endpoint<[Article]> { .get("articles", query: ["page": 1]) }
}
