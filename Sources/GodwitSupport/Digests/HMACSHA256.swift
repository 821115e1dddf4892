/// HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    private static let blockSize = 64

    /// The code of a message: 32 bytes.
    public static func code(of message: some Sequence<UInt8>, key: some Collection<UInt8>) -> [UInt8] {
        var key = key.count > blockSize ? SHA256.digest(key) : Array(key)
        key += repeatElement(0, count: blockSize - key.count)
        var inner = SHA256()
        inner.update(key.map { $0 ^ 0x36 })
        inner.update(message)
        return SHA256.digest(key.map { $0 ^ 0x5C } + inner.finish())
    }
}
