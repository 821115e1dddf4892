/// A member of a generated input type that leads back to the type: a struct can't contain itself directly.
public indirect enum GraphQLIndirect<Value: Encodable & Sendable>: Encodable, Sendable {
    /// The wrapped value, in memory of its own.
    case value(Value)

    /// Wraps a value.
    public init(_ value: Value) {
        self = .value(value)
    }

    /// The wrapped value.
    public var value: Value {
        get {
            switch self {
            case .value(let value): value
            }
        }
        set { self = .value(newValue) }
    }

    /// Encodes the value alone.
    public func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}
