// setting: main-actor
// expect: main actor-isolated conformance of 'Article' to 'Decodable' cannot satisfy conformance requirement
import Godwit

struct Article: Decodable {
    let id: Int
}

extension Endpoint {
    static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)") }
}
