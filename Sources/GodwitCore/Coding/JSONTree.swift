/// Any JSON, as it came: what diagnoses and error bodies of unknown shape are read from.
package enum JSONTree: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// What is too large for `integer`.
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// Parses JSON; nil where it is none.
    package init?(parsing data: Data) {
        guard let value = try? JSONDecoder().decode(JSONTree.self, from: data) else { return nil }
        self = value
    }

    /// The member under a key; nil where this is no object or has no such key.
    subscript(key: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The text of a string; nil where this is none.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}

extension JSONTree: Decodable {
    package init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: AnyKey.self) {
            self = .object(
                Dictionary(
                    try members.allKeys.map { ($0.stringValue, try members.decode(JSONTree.self, forKey: $0)) },
                    uniquingKeysWith: { $1 }))
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var array: [JSONTree] = []
            while !elements.isAtEnd { array.append(try elements.decode(JSONTree.self)) }
            self = .array(array)
            return
        }
        self = try Self.scalar(try decoder.singleValueContainer())
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONTree {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(UInt64.self) { return .unsigned(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        return .string(try container.decode(String.self))
    }
}

/// A key that is only known at run time.
struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
