/// A number that a server sends either as a number or as text: `42` or `"42"`.
///
/// ```swift
/// struct Article: Decodable, Nonisolated {
///     @NumberOrString var id: String
///     @NumberOrString var price: Double
/// }
/// ```
///
/// Encoded as its Swift type.
@propertyWrapper
public struct NumberOrString<Value: Codable & LosslessStringConvertible & Sendable>: Codable, Sendable {
    /// The value in its Swift type, however the server sent it.
    public var wrappedValue: Value

    /// Creates a property with an initial value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes the value from its own type, or from a text or number.
    ///
    /// Throws `DecodingError` for `null`, a list, an object, and text that isn't such a value.
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
        // A decimal keeps all digits; a binary fraction only 15 to 17.
        if let number = try? container.decode(Decimal.self) { return number.description }
        return (try? container.decode(Double.self)).map { String($0) }
    }

    /// Encodes the value as its Swift type.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension NumberOrString: Equatable where Value: Equatable {}
extension NumberOrString: Hashable where Value: Hashable {}
