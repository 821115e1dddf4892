/// A common wrapper around a value: `{"data": …, "meta": …}`.
///
/// ```swift
/// static func articles() -> Endpoint<Envelope<[Article], PageInfo>> { .get("articles") }
/// ```
///
/// To get only the value, use ``Endpoint/unwrapping(_:)``.
///
/// Both members must be present under these names; otherwise `.decoding` is thrown.
public struct Envelope<Value: Decodable & Sendable, Meta: Decodable & Sendable>: Decodable, Sendable {
    /// The value of the member `data`.
    public let data: Value

    /// The value of the member `meta`.
    public let meta: Meta

    /// Creates an envelope around a value and its metadata.
    public init(data: Value, meta: Meta) {
        self.data = data
        self.meta = meta
    }
}

extension Endpoint where Response: Decodable {
    /// Decodes the response from a member of the JSON: `data`, or nested, `result.items`.
    ///
    /// ```swift
    /// static func article(id: Int) -> Endpoint<Article> { .get("articles/\(id)").unwrapping("data") }
    /// ```
    ///
    /// - Parameter path: Member names as in the JSON, separated by dots.
    ///
    /// Throws `.decoding` with the path if a member is missing. If the response is optional, it is `nil` then, provided that
    /// only the last member is missing. An empty path decodes the whole body. With ``JSONKeys/snakeCase`` and
    /// ``JSONKeys/custom(write:read:)``, names may be in either spelling.
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

/// The path to an ``Unwrapped`` value.
private struct UnwrappedPath: Sendable {
    /// The path of the value being decoded. Decoders other than Foundation's have no other way to pass it on.
    @TaskLocal static var current: UnwrappedPath?

    let names: [String]
    let keys: JSONKeys

    /// The key for a name. The decoder's key conversion applies to these names too.
    func key(_ name: String, in container: KeyedDecodingContainer<AnyKey>) -> AnyKey {
        let plain = AnyKey(name)
        // A custom decoder may convert `snake_case` without declaring it.
        let read = if case .asWritten = keys { AnyKey(SnakeCase.camel(name)) } else { AnyKey(keys.read(name)) }
        return !container.contains(plain) && container.contains(read) ? read : plain
    }
}

/// A nested value.
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
        let key = path.key(last, in: container)
        let absent = container.contains(key) ? nil : (Value.self as? any Absent.Type)?.absent as? Value
        value = try absent ?? container.decode(Value.self, forKey: key)
    }
}

/// What may be missing.
private protocol Absent {
    static var absent: Self { get }
}

extension Optional: Absent {
    fileprivate static var absent: Self { nil }
}
