/// Names the value that stands in for a missing one; see ``Default``.
///
/// ```swift
/// enum Untitled: DefaultSource { static var value: String { "Untitled" } }
/// ```
public protocol DefaultSource: SendableMetatype {
    associatedtype Value: Decodable

    /// What is used where the JSON has nothing or `null`.
    static var value: Value { get }
}

/// A property that takes a default if the JSON has nothing, or `null`, or the raw value of a case that its enum doesn't have.
///
/// ```swift
/// struct Article: Decodable, Nonisolated { @Default<Untitled> var title: String }
/// ```
///
/// A value of the wrong type is still an error. To keep an unknown raw value instead, use ``Open``.
///
/// Written as its value alone, without a trace of the default.
@propertyWrapper
public struct Default<Source: DefaultSource>: Decodable {
    /// The value.
    public var wrappedValue: Source.Value

    /// Makes the property.
    ///
    /// - Parameter wrappedValue: The value; the default where none is given.
    public init(wrappedValue: Source.Value = Source.value) {
        self.wrappedValue = wrappedValue
    }

    /// Takes the default for `null` and for an unknown case; the container handles a missing member.
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
            // This is how a raw-value enum refuses a value of the right type that none of its cases has.
            self.init()
        }
    }
}

extension Default: Encodable where Source.Value: Encodable {
    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension Default: Sendable where Source.Value: Sendable {}
extension Default: Equatable where Source.Value: Equatable {}
extension Default: Hashable where Source.Value: Hashable {}

extension KeyedDecodingContainer {
    /// Reads the member or takes the default. Synthesized conformances find this by overloading.
    public func decode<Source>(_ type: Default<Source>.Type, forKey key: Key) throws -> Default<Source> {
        try decodeIfPresent(Default<Source>.self, forKey: key) ?? Default()
    }
}

/// A type with an empty value, for ``DefaultEmpty``.
public protocol HasEmptyValue: Decodable {
    /// Makes the empty value.
    init()
}

extension String: HasEmptyValue {}
extension Array: HasEmptyValue where Element: Decodable {}
extension Set: HasEmptyValue where Element: Decodable {}
extension Dictionary: HasEmptyValue where Key: Decodable, Value: Decodable {}

/// The source of ``DefaultEmpty``.
public enum EmptyValue<Value: HasEmptyValue>: DefaultSource {
    /// The empty value.
    public static var value: Value { Value() }
}

/// A text or collection that is empty where the JSON has nothing, or `null`.
///
/// ```swift
/// struct Article: Decodable, Nonisolated { @DefaultEmpty var tags: [String] }
/// ```
public typealias DefaultEmpty<Value: HasEmptyValue> = Default<EmptyValue<Value>>
