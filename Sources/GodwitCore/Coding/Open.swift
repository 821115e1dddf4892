/// A value of an enum that the server may extend: a known case, or the raw value of an unknown one.
///
/// ```swift
/// nonisolated enum Status: String, Codable { case draft, published }
///
/// let statuses = try JSONDecoder().decode([Open<Status>].self, from: Data(#"["draft", "archived"]"#.utf8))
/// for status in statuses {
///     switch status {
///     case .known(.draft), .known(.published): show(status)
///     case .unknown(let name): show(name)                      // "archived", from the server's next version
///     }
/// }
/// ```
///
/// An unknown value is kept and encoded as received. A value of another JSON type is still a decoding error.
public enum Open<Known: RawRepresentable> {
    /// A case that the enum has.
    case known(Known)

    /// The raw value of an unknown case.
    case unknown(Known.RawValue)

    /// Creates a known case.
    public init(_ known: Known) {
        self = .known(known)
    }

    /// The case; `nil` if it is unknown.
    public var known: Known? {
        if case .known(let known) = self { known } else { nil }
    }

    /// Whether this is the given case.
    public static func == (left: Open, right: Known) -> Bool where Known: Equatable {
        left.known == right
    }

    /// Whether this isn't the given case.
    public static func != (left: Open, right: Known) -> Bool where Known: Equatable {
        left.known != right
    }
}

extension Open: RawRepresentable {
    /// Creates the known case of a raw value, or keeps the raw value.
    public init(rawValue: Known.RawValue) {
        self = Known(rawValue: rawValue).map(Open.known) ?? .unknown(rawValue)
    }

    /// The raw value, known or not.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let known): known.rawValue
        case .unknown(let raw): raw
        }
    }
}

extension Open: Equatable where Known.RawValue: Equatable {
    /// Compares raw values, so that equal values in two spellings are equal.
    public static func == (left: Open, right: Open) -> Bool {
        left.rawValue == right.rawValue
    }
}

extension Open: Hashable where Known.RawValue: Hashable {
    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }
}

extension Open: Sendable where Known: Sendable, Known.RawValue: Sendable {}

extension Open: Decodable where Known.RawValue: Decodable {
    /// Decodes a raw value.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try Known.RawValue(from: decoder))
    }
}

extension Open: Encodable where Known.RawValue: Encodable {
    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        try rawValue.encode(to: encoder)
    }
}

extension Open: CodingKeyRepresentable where Known.RawValue: CodingKeyRepresentable {
    /// The raw value as a key, so that `[Open<Status>: Int]` is a JSON object.
    public var codingKey: any CodingKey { rawValue.codingKey }

    /// Reads a raw value from a key.
    public init?(codingKey: some CodingKey) {
        guard let raw = Known.RawValue(codingKey: codingKey) else { return nil }
        self.init(rawValue: raw)
    }
}

extension Open: QueryConvertible where Known.RawValue: QueryConvertible {}

extension Open: CustomStringConvertible {
    /// The raw value as text.
    public var description: String { "\(rawValue)" }
}
