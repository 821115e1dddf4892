/// A number or text that a server sends now as the one, now as the other: `42` or `"42"`.
///
/// ```swift
/// struct Article: Decodable, Nonisolated {
///     @NumberOrString var id: String
///     @NumberOrString var price: Double
/// }
/// ```
///
/// Written as the type it has in Swift.
@propertyWrapper
public struct NumberOrString<Value: Codable & LosslessStringConvertible & Sendable>: Codable, Sendable {
    /// The value.
    public var wrappedValue: Value

    /// Makes the property.
    ///
    /// - Parameter wrappedValue: The value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Reads the value as it is, or from the text or number that stands in its place.
    ///
    /// Throws `DecodingError` for `null`, a list, an object, and text that is no such value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Value.self) {
            wrappedValue = value
            return
        }
        guard let text = Self.text(in: container), let value = Value(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected a number or a string with one"))
        }
        wrappedValue = value
    }

    private static func text(in container: any SingleValueDecodingContainer) -> String? {
        if let text = try? container.decode(String.self) { return text }
        if let number = try? container.decode(Int64.self) { return String(number) }
        if let number = try? container.decode(UInt64.self) { return String(number) }
        // A decimal keeps its digits, of which a binary fraction has 15 to 17.
        if let number = try? container.decode(Decimal.self) { return number.description }
        return (try? container.decode(Double.self)).map { String($0) }
    }

    /// Writes the value as the type it has in Swift.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension NumberOrString: Equatable where Value: Equatable {}
extension NumberOrString: Hashable where Value: Hashable {}
