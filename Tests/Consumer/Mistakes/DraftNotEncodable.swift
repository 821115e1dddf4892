// expect: requires that 'Draft' conform to 'Encodable'
import Godwit

struct Draft {
    let title: String
}

extension Endpoint {
    static func create(_ draft: Draft) -> Endpoint<Void> { .post("articles", body: .json(draft)) }
}
