extension JSONElement: Decodable {
    /// Decodes any JSON as it is in the document: numbers keep their digits, and objects the order of their members.
    ///
    /// Throws `DecodingError` from a decoder other than ``JSONModelDecoder``, and with JSON5. ``JSONValue`` decodes there too.
    public init(from decoder: any Decoder) throws {
        guard let element = (decoder as? ElementDecoder)?.element else {
            let reason = "a JSONElement can only be decoded from a JSONDocument"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        self = element
    }
}

extension JSONElement: Encodable {
    /// Encodes the value as it is in its document, also its whitespace. Encoders other than ``JSONModelEncoder`` get a
    /// ``JSONValue``.
    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? ValueEncoder else { return try JSONValue(self).encode(to: encoder) }
        try encoder.encode(json: source)
    }
}
