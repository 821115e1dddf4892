/// The default of a missing value; see ``Default``.
///
/// ```swift
/// enum Untitled: DefaultSource { static var value: String { "Untitled" } }
/// ```
public protocol DefaultSource: SendableMetatype {
    /// The type of the value, and of the property.
    associatedtype Value: Decodable

    /// The value for missing members and `null`.
    static var value: Value { get }
}

/// A property with a default for a missing member, `null`, or a raw value that its enum doesn't have.
///
/// ```swift
/// struct Article: Decodable, Nonisolated { @Default<Untitled> var title: String }
/// ```
///
/// A value of the wrong type is still an error. To keep an unknown raw value, use ``Open``.
///
/// Encoded as the plain value.
@propertyWrapper
public struct Default<Source: DefaultSource>: Decodable {
    /// The decoded value, or the default.
    public var wrappedValue: Source.Value

    /// Creates a property with an initial value: the source's by default.
    public init(wrappedValue: Source.Value = Source.value) {
        self.wrappedValue = wrappedValue
    }

    /// Uses the default for `null` and for an unknown case; the container handles a missing member.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard !container.decodeNil() else {
            self.init()
            return
        }
        do {
            self.init(wrappedValue: try container.decode(Source.Value.self))
        } catch DecodingError.dataCorrupted(let context)
            where Source.Value.self is any RawRepresentable.Type && context.codingPath.count == decoder.codingPath.count
        {
            // A raw-value enum throws this for a value of the right type without a case.
            self.init()
        }
    }
}

extension Default: Encodable where Source.Value: Encodable {
    /// Encodes the plain value.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension Default: Sendable where Source.Value: Sendable {}
extension Default: Equatable where Source.Value: Equatable {}
extension Default: Hashable where Source.Value: Hashable {}

extension KeyedDecodingContainer {
    /// Decodes the member or uses the default. Synthesized conformances use this overload.
    public func decode<Source>(_ type: Default<Source>.Type, forKey key: Key) throws -> Default<Source> {
        try decodeIfPresent(Default<Source>.self, forKey: key) ?? Default()
    }
}

extension JSONObjectReader {
    /// Reads the member, or uses the default if it is missing or null.
    public mutating func read<Source>(_ key: StaticString) throws -> Default<Source> {
        try read(key) as Default<Source>? ?? Default()
    }
}

/// A type with an empty value, for ``DefaultEmpty``.
public protocol HasEmptyValue: Decodable {
    /// Creates the empty value.
    init()
}

extension String: HasEmptyValue {}
extension Array: HasEmptyValue where Element: Decodable {}
extension Set: HasEmptyValue where Element: Decodable {}
extension Dictionary: HasEmptyValue where Key: Decodable, Value: Decodable {}

/// The source of the empty value that ``DefaultEmpty`` uses.
public enum EmptyValue<Value: HasEmptyValue>: DefaultSource {
    /// The empty value.
    public static var value: Value { Value() }
}

/// A string or collection that is empty if the member is missing or `null`.
///
/// ```swift
/// struct Article: Decodable, Nonisolated { @DefaultEmpty var tags: [String] }
/// ```
public typealias DefaultEmpty<Value: HasEmptyValue> = Default<EmptyValue<Value>>
