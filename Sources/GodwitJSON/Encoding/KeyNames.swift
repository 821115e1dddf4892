extension EncodingStorage {
    /// The name of a key in JSON by the key strategy.
    func convertedName(of key: some CodingKey, in object: EncodedNode.Index) -> String {
        switch options.keys {
        case .asWritten: key.stringValue
        case .snakeCase: SnakeCase.snake(key.stringValue)
        case .custom(let convert): convert(path(of: object) + [key]).stringValue
        }
    }
}
