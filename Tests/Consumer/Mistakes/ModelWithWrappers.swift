// setting: main-actor
// expect: 'nonisolated' cannot be applied to mutable stored properties
import Godwit

nonisolated struct Article: Decodable {
    @DefaultEmpty var tags: [String]
}
