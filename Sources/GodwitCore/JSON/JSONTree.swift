/// Any JSON value, for diagnosis and for error bodies of unknown shape.
package enum JSONTree: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer too large for `integer`.
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// Parses JSON; `nil` if it is invalid.
    package init?(parsing data: Data) {
        guard let value = try? JSONDecoder().decode(JSONTree.self, from: data) else { return nil }
        self = value
    }

    /// The member with a key; `nil` if this isn't an object or the key is missing.
    subscript(key: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The text of a string; `nil` for other values.
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

/// A key known only at run time.
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

/// The path to a value in JSON, written as `results[3].published_at`.
struct JSONPath: CustomStringConvertible {
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    init(_ codingPath: [any CodingKey]) {
        steps = codingPath.map { key in key.intValue.map(Step.index) ?? .key(key.stringValue) }
    }

    /// The path with keys as sent, and the value there; `nil` if missing.
    func resolved(in root: JSONTree?, keys: JSONKeys) -> (path: JSONPath, value: JSONTree?) {
        var (path, value) = (self, root)
        for (position, step) in steps.enumerated() {
            switch (step, value) {
            case (.key(let key), .object(let members)?):
                let sent = Self.spelling(of: key, in: members, keys: keys)
                path.steps[position] = .key(sent)
                value = members[sent]
            case (.index(let index), .array(let elements)?):
                value = elements.indices.contains(index) ? elements[index] : nil
            case (.key(let key), _):
                path.steps[position] = .key(keys.written(key))
                value = nil
            default:
                value = nil
            }
        }
        return (path, value)
    }

    private static func spelling(of key: String, in members: [String: JSONTree], keys: JSONKeys) -> String {
        if case .asWritten = keys { return key }
        return members.keys.first { keys.read($0) == key } ?? keys.written(key)
    }

    /// Whether the value at the path must likely not be shown.
    var isSecret: Bool {
        steps.contains { step in
            if case .key(let key) = step { SecretName.isSecret(key) } else { false }
        }
    }

    var description: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
