// expect: the response type is not Decodable: declare 'nonisolated struct …: Decodable'
// never: no exact matches
import Godwit

struct Article: Encodable {
    let id: Int
}

let endpoint = Endpoint<Article>.post("articles", body: .json(["title": "Tides"]))
