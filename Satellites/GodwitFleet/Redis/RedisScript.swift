import COpenSSL
import GodwitCore

/// A script in Lua, which Redis knows by its hash once it has seen it.
struct RedisScript: Sendable {
    let source: String
    let hash: String

    init(_ source: String) {
        self.source = source
        var digest = [UInt8](repeating: 0, count: 20)
        _ = EVP_Digest(source, source.utf8.count, &digest, nil, EVP_sha1(), nil)
        hash = digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    func command(_ keys: [String], _ arguments: [RedisArgument], withSource: Bool) -> [RedisArgument] {
        [withSource ? "EVAL" : "EVALSHA", RedisArgument(withSource ? source : hash), RedisArgument(keys.count)]
            + keys.map { RedisArgument($0) } + arguments
    }
}
