// expect: type 'Endpoint<String>' has no member 'fetch'
import Godwit

extension Endpoint {
    static func article(id: Int) -> Endpoint<String> { .fetch("articles/\(id)") }
}
