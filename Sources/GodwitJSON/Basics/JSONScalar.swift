/// A string or number in JSON.
package enum JSONScalar: Sendable, Hashable {
    case text(String)
    /// A number; infinity and NaN as the encoder's strategy says.
    case number(Double)
}

/// A format of dates or bytes as a string or number, without the cost of an `Encoder`.
package struct JSONScalarFormat<Value: Sendable>: Sendable {
    /// What the format is called in errors: "ISO 8601 date".
    package let name: String
    /// Formats a value; `nil` throws `EncodingError`.
    package let format: @Sendable (Value) -> JSONScalar?

    package init(name: String, format: @escaping @Sendable (Value) -> JSONScalar?) {
        self.name = name
        self.format = format
    }
}

/// The reading of dates or bytes from a string or number, without the cost of a `Decoder`.
package struct JSONScalarReading<Value: Sendable>: Sendable {
    /// What is expected, for errors: "ISO 8601 date".
    package let name: String
    /// Reads a value; `nil` if it is invalid.
    package let read: @Sendable (JSONScalar) -> Value?

    /// Reads a value from the bytes of a string without escapes; `nil` leaves it to ``read``.
    package let readBytes: @Sendable (UnsafeBufferPointer<UInt8>) -> Value?

    package init(
        name: String, bytes: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Value? = { _ in nil },
        read: @escaping @Sendable (JSONScalar) -> Value?
    ) {
        self.name = name
        self.read = read
        readBytes = bytes
    }
}
