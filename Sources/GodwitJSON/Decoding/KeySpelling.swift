/// How keys in JSON become the keys of types.
enum KeySpelling {
    case plain
    case snakeCase
    case custom(@Sendable ([any CodingKey]) -> any CodingKey)

    init(_ strategy: JSONDecoder.KeyDecodingStrategy) {
        switch strategy {
        case .useDefaultKeys: self = .plain
        case .convertFromSnakeCase: self = .snakeCase
        case .custom(let convert): self = .custom(convert)
        @unknown default: self = .plain
        }
    }

    /// Whether a key in JSON is spelled like the type's key.
    var isPlain: Bool {
        if case .plain = self { true } else { false }
    }
}
