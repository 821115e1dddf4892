/// A member of a partial update (RFC 7396): left alone, cleared, or set.
///
/// An optional cannot tell the first two apart. Inside an `Encodable` type an absent member is not written at all:
///
/// ```swift
/// nonisolated struct ArticlePatch: Encodable {
///     var title: Patch<String> = .absent
///     var subtitle: Patch<String> = .absent
/// }
/// ArticlePatch(title: .value("Flying"), subtitle: .null)      // {"title": "Flying", "subtitle": null}
/// ```
public enum Patch<Value> {
    /// The member is not written: the server leaves it as it is.
    case absent
    /// The member is written as `null`: the server clears it.
    case null
    /// The member is set.
    case value(Value)

    /// Sets the value, or clears it where there is none.
    ///
    /// ```swift
    /// patch.subtitle = Patch(text.isEmpty ? nil : text)          // nil clears
    /// ```
    ///
    /// - Parameter value: The value; nil clears. For "leave it as it is" there is ``absent``.
    public init(_ value: Value?) {
        self = value.map(Patch.value) ?? .null
    }

    /// The value, nil where it is absent or null.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension Patch: Sendable where Value: Sendable {}
extension Patch: Equatable where Value: Equatable {}
extension Patch: Hashable where Value: Hashable {}

extension Patch: Encodable where Value: Encodable {
    /// Writes the value or `null`. What leaves an absent member out is the container of the type that holds it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard case .value(let value) = self else { return try container.encodeNil() }
        try container.encode(value)
    }
}

extension Patch: Decodable where Value: Decodable {
    /// Reads `null` as ``null``, anything else as a value. Only a keyed container can tell that a member is absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension KeyedEncodingContainer {
    /// Writes the member, or nothing where it is absent. Synthesized conformances find this by overloading.
    public mutating func encode<Value: Encodable>(_ patch: Patch<Value>, forKey key: Key) throws {
        switch patch {
        case .absent: break
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    /// Reads the member; a missing one is absent. Synthesized conformances find this by overloading.
    public func decode<Value: Decodable>(_ type: Patch<Value>.Type, forKey key: Key) throws -> Patch<Value> {
        guard contains(key) else { return .absent }
        return try decodeNil(forKey: key) ? .null : .value(try decode(Value.self, forKey: key))
    }
}
