// works
import Godwit

enum Section: String { case news, sport }

extension Endpoint {
    static func articles(_ section: Section) -> Endpoint<[String]> { .get("\(section)/articles") }
}
