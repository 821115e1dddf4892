/// A member of a partial update (RFC 7396): unchanged, cleared, or set.
///
/// An optional can't distinguish the first two. An absent member of an `Encodable` type isn't encoded:
///
/// ```swift
/// nonisolated struct ArticlePatch: Encodable {
///     var title: Patch<String> = .absent
///     var subtitle: Patch<String> = .absent
/// }
/// ArticlePatch(title: .value("Flying"), subtitle: .null)      // {"title": "Flying", "subtitle": null}
/// ```
public enum Patch<Value> {
    /// The member isn't encoded: the server keeps its value.
    case absent
    /// The member is encoded as `null`: the server clears it.
    case null
    /// The member is set.
    case value(Value)

    /// Sets the value; `nil` clears it.
    ///
    /// ```swift
    /// patch.subtitle = Patch(text.isEmpty ? nil : text)          // nil clears
    /// ```
    ///
    /// - Parameter value: The value; `nil` clears it. To keep the server's value, use ``absent``.
    public init(_ value: Value?) {
        self = value.map(Patch.value) ?? .null
    }

    /// The value; `nil` if absent or null.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

/// A value that may stand for a missing member, for collections of members that no keyed container encodes.
package protocol PossiblyAbsent {
    /// Whether the member isn't sent.
    var isAbsent: Bool { get }
}

extension Patch: PossiblyAbsent {
    package var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }
}

extension Patch: Sendable where Value: Sendable {}
extension Patch: Equatable where Value: Equatable {}
extension Patch: Hashable where Value: Hashable {}

extension Patch: Encodable where Value: Encodable {
    /// Encodes the value or `null`. The container of the enclosing type omits an absent member.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard case .value(let value) = self else { return try container.encodeNil() }
        try container.encode(value)
    }
}

extension Patch: Decodable where Value: Decodable {
    /// Decodes `null` as ``null``, other values as a value. Only a keyed container can detect an absent member.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension KeyedEncodingContainer {
    /// Encodes the member, or nothing if it is absent. Synthesized conformances use this overload.
    public mutating func encode<Value: Encodable>(_ patch: Patch<Value>, forKey key: Key) throws {
        switch patch {
        case .absent: break
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes the member; a missing one is absent. Synthesized conformances use this overload.
    public func decode<Value: Decodable>(_ type: Patch<Value>.Type, forKey key: Key) throws -> Patch<Value> {
        guard contains(key) else { return .absent }
        return try decodeNil(forKey: key) ? .null : .value(try decode(Value.self, forKey: key))
    }
}

extension JSONObjectReader {
    /// Reads the member; a missing one is absent.
    public mutating func read<Value: Decodable>(_ key: StaticString) throws -> Patch<Value> {
        guard contains(key) else { return .absent }
        return Patch(try read(key) as Value?)
    }
}
