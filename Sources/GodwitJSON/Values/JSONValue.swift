/// Any JSON value, for bodies of unknown shape; also written as a Swift literal.
///
/// ```swift
/// let article: JSONValue = ["id": 1, "title": "Tides", "tags": ["sea", "moon"], "draft": false, "parent": nil]
/// ```
public enum JSONValue: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int64)
    /// A number. It can be encoded only if it is finite.
    case number(Double)
    /// A string.
    case string(String)
    /// An array: its elements in order.
    case array([JSONValue])
    /// An object: its values by name, without an order. Encode it with sorted keys if the order matters.
    case object([String: JSONValue])
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates `null` from the literal `nil`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number without a fraction from a literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a number from a literal.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array from a literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object from a literal. The last of several members with the same name counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension JSONValue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue: Decodable {
    /// Decodes any JSON. A number without a fraction becomes an ``integer(_:)`` if it fits.
    public init(from decoder: any Decoder) throws {
        // Errors are slow to make: a value of a parsed document is read without trying one type after another.
        if let decoder = decoder as? ElementDecoder, let element = decoder.element {
            try decoder.session.willMakeTree(of: element)
            self.init(element)
        } else if let members = try? [String: JSONValue](from: decoder) {
            self = .object(members)
        } else if let elements = try? [JSONValue](from: decoder) {
            self = .array(elements)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        return .string(try container.decode(String.self))
    }
}

extension JSONValue {
    /// A value of a document. If a key occurs more than once, the first counts.
    ///
    /// A string that isn't valid Unicode has replacement characters. A number too large for `Double` is infinite, one too small
    /// is zero.
    public init(_ element: JSONElement) {
        switch element.kind {
        case .null: self = .null
        case .boolean: self = .bool(element.bool ?? false)
        case .number:
            self = element.integer().map(JSONValue.integer) ?? .number(element.double ?? Self.extreme(element.source))
        case .string: self = .string(element.string ?? String(decoding: element.source, as: UTF8.self))
        case .array: self = .array(Self.values(element.elements))
        case .object: self = .object(Self.values(element.members))
        }
    }

    /// A number outside of the range of `Double`.
    private static func extreme(_ source: some Collection<UInt8>) -> Double {
        Double(String(decoding: source, as: UTF8.self)) ?? 0
    }

    // Counted first, so that no larger memory is copied while they grow.

    private static func values(_ elements: JSONElement.Elements) -> [JSONValue] {
        var values: [JSONValue] = []
        values.reserveCapacity(elements.reduce(0) { count, _ in count &+ 1 })
        for element in elements { values.append(JSONValue(element)) }
        return values
    }

    private static func values(_ members: JSONElement.Members) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        values.reserveCapacity(members.reduce(0) { count, _ in count &+ 1 })
        for member in members {
            let key = member.key
            if values[key] == nil { values[key] = JSONValue(member.value) }
        }
        return values
    }

    /// The member with a key; `nil` if this isn't an object or the key is missing.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The text of a string; `nil` for other values.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
