#if os(Linux)
import GodwitCore
import GodwitSupport

/// A script in Lua, which Redis knows by its hash once it has seen it.
struct RedisScript: Sendable {
    let source: String
    let hash: String

    init(_ source: String) {
        self.source = source
        hash = Hexadecimal.encode(SHA1.digest(source.utf8))
    }

    func command(_ keys: [String], _ arguments: [RedisArgument], withSource: Bool) -> [RedisArgument] {
        [withSource ? "EVAL" : "EVALSHA", RedisArgument(withSource ? source : hash), RedisArgument(keys.count)]
            + keys.map { RedisArgument($0) } + arguments
    }
}
#endif
