import Godwit

extension [FileAttributeKey: Any] {
    /// The size of a file in bytes.
    var byteCount: Int? { integer(.size) }

    /// The type of a number depends on how much of Foundation is linked: a cast to `Int` alone fails in the program, and
    /// succeeds in its tests.
    func integer(_ key: FileAttributeKey) -> Int? {
        (self[key] as? any BinaryInteger).map { Int(clamping: $0) } ?? self[key] as? Int
    }
}
