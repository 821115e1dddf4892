import Godwit

struct Article: Encodable {
    let id: Int
}

let endpoint = Endpoint<Article>.post("articles", body: .json(["title": "Tides"]))
