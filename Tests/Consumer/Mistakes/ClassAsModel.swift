// expect: type 'Article' does not conform to the 'Sendable' protocol
import Godwit

class Article: Decodable {
    let id = 1
}

extension Endpoint {
    static func article() -> Endpoint<Article> { .get("article") }
}
