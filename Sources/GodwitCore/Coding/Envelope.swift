/// What many APIs wrap around a value: `{"data": …, "meta": …}`.
///
/// ```swift
/// static func articles() -> Endpoint<Envelope<[Article], PageInfo>> { .get("articles") }
/// ```
///
/// Where only the value matters, ``Endpoint/unwrapping(_:)`` takes it out.
///
/// Both members have to be there, under these names; otherwise `.decoding` is thrown.
public struct Envelope<Value: Decodable & Sendable, Meta: Decodable & Sendable>: Decodable, Sendable {
    /// What is in the envelope.
    public let data: Value

    /// What is said about it.
    public let meta: Meta

    /// Makes an envelope.
    ///
    /// - Parameters:
    ///   - data: What is in the envelope.
    ///   - meta: What is said about it.
    public init(data: Value, meta: Meta) {
        self.data = data
        self.meta = meta
    }
}

extension Endpoint where Response: Decodable {
    /// Reads the response from a member of the JSON: `data`, or deeper, `result.items`.
    ///
    /// ```swift
    /// static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)").unwrapping("data") }
    /// ```
    ///
    /// - Parameter path: Names as they stand in the JSON, separated by dots.
    ///
    /// Throws `.decoding` with the path where a member is missing. An empty path reads the whole body. Under
    /// ``JSONKeys/snakeCase`` names may be written either way.
    public func unwrapping(_ path: String) -> Self {
        let names = path.split(separator: ".").map(String.init)
        var copy = self
        copy.decode = { (data, _, coding) throws(NetworkError) in
            guard !data.isEmpty else { throw NetworkError(.decoding(.emptyBody), phase: .decoding) }
            return try coding.decode(Unwrapped<Response>.self, from: data, configuration: names).value
        }
        return copy
    }
}

/// A value that lies some members deep.
private struct Unwrapped<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration names: [String]) throws {
        guard let last = names.last else {
            value = try Value(from: decoder)
            return
        }
        var container = try decoder.container(keyedBy: AnyKey.self)
        for name in names.dropLast() {
            container = try container.nestedContainer(keyedBy: AnyKey.self, forKey: Self.key(name, in: container))
        }
        value = try container.decode(Value.self, forKey: Self.key(last, in: container))
    }

    /// A decoder that turns `snake_case` around does so for these names too.
    private static func key(_ name: String, in container: KeyedDecodingContainer<AnyKey>) -> AnyKey {
        let plain = AnyKey(name)
        let turned = AnyKey(SnakeCase.camel(name))
        return !container.contains(plain) && container.contains(turned) ? turned : plain
    }
}
