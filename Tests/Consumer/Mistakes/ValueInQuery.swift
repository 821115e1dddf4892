// expect: 'Filter'
// expect: QueryConvertible
import Godwit

struct Filter { var text: String }

extension Endpoint {
    static func articles(_ filter: Filter) -> Endpoint<[String]> { .get("articles", query: ["filter": filter]) }
}
