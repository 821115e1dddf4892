// expect: cannot convert value of type 'Draft' to expected argument type 'RequestBody'
import Godwit

struct Draft: Encodable {
    let title: String
}

extension Endpoint {
    static func create(_ draft: Draft) -> Endpoint<Void> { .post("articles", body: draft) }
}
