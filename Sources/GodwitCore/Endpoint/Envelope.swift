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
    /// ``JSONKeys/snakeCase`` and ``JSONKeys/custom(write:read:)`` names may be written either way.
    public func unwrapping(_ path: String) -> Self {
        let names = path.split(separator: ".").map(String.init)
        var copy = self
        copy.decode = { (data, _, coding) throws(NetworkError) in
            guard !data.isEmpty else { throw NetworkError(.decoding(.emptyBody), phase: .decoding) }
            let path = UnwrappedPath(names: names, keys: coding.keys)
            let result = UnwrappedPath.$current.withValue(path) {
                Result { () throws(NetworkError) in try coding.decode(Unwrapped<Response>.self, from: data) }
            }
            return try result.get().value
        }
        return copy
    }
}

/// The way to an ``Unwrapped`` value.
private struct UnwrappedPath: Sendable {
    /// Of the value that is being read: a decoder that is not Foundation's has no other way to hand it on.
    @TaskLocal static var current: UnwrappedPath?

    let names: [String]
    let keys: JSONKeys

    /// The key of a name. A decoder that spells keys otherwise does so for these names too.
    func key(_ name: String, in container: KeyedDecodingContainer<AnyKey>) -> AnyKey {
        let plain = AnyKey(name)
        // A decoder of your own may turn `snake_case` around without saying so.
        let read = if case .asWritten = keys { AnyKey(SnakeCase.camel(name)) } else { AnyKey(keys.read(name)) }
        return !container.contains(plain) && container.contains(read) ? read : plain
    }
}

/// A value that lies some members deep.
private struct Unwrapped<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        guard let path = UnwrappedPath.current, let last = path.names.last else {
            value = try Value(from: decoder)
            return
        }
        var container = try decoder.container(keyedBy: AnyKey.self)
        for name in path.names.dropLast() {
            container = try container.nestedContainer(keyedBy: AnyKey.self, forKey: path.key(name, in: container))
        }
        value = try container.decode(Value.self, forKey: path.key(last, in: container))
    }
}
