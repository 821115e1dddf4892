// expect: 'Order'
// expect: QueryConvertible
import Godwit

enum Order: String { case newest, oldest }

extension Endpoint {
    static func articles(order: Order) -> Endpoint<[String]> { .get("articles", query: ["order": order, "page": 1]) }
}
