extension JSONModelDecoder {
    /// Foundation's decoder with the same options.
    var json5: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        decoder.dateDecodingStrategy = dateFormat.map { .custom($0.decode) } ?? dateDecodingStrategy
        decoder.dataDecodingStrategy = dataFormat.map { .custom($0.decode) } ?? dataDecodingStrategy
        decoder.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
        decoder.keyDecodingStrategy = keyDecodingStrategy
        decoder.userInfo = userInfo
        return decoder
    }
}

extension JSONScalarReading {
    @Sendable
    fileprivate func decode(_ decoder: any Decoder) throws -> Value {
        let container = try decoder.singleValueContainer()
        let scalar =
            if let text = try? container.decode(String.self) {
                JSONScalar.text(text)
            } else {
                (try? container.decode(Double.self)).map(JSONScalar.number)
            }
        guard let scalar, let value = read(scalar) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected \(name)"))
        }
        return value
    }
}
