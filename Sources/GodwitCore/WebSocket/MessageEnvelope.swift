/// How the cases of an enum become JSON messages that say what they are.
///
/// | case | message |
/// | --- | --- |
/// | `.subscribe(channel: "tides")` | `{"type":"subscribe","channel":"tides"}` |
/// | `.article(Article)` | `{"type":"article","id":1,"title":"Tides"}` |
/// | `.count(3)` | `{"type":"count","value":3}` |
/// | `.ping` | `{"type":"ping"}` |
///
/// With a ``content`` key, what belongs to the case stands under it: `{"type":"article","data":{"id":1,"title":"Tides"}}`.
/// A type that is no enum is written and read as it is; it has a member for the type itself.
public struct MessageEnvelope: Sendable, Hashable {
    /// The member that names the case. `type` by default.
    public var type: String

    /// The member that holds the rest; nil, the default, for beside the type.
    public var content: String?

    /// Makes an envelope.
    ///
    /// - Parameters:
    ///   - type: The member that names the case.
    ///   - content: The member with what belongs to the case; nil puts that beside the name.
    public init(type: String = "type", content: String? = nil) {
        self.type = type
        self.content = content
    }

    /// What Swift calls a value without a label.
    private static let unlabelled = "_0"
    /// Where a value without a label stands that is no object.
    private static let scalar = "value"

    /// The message for what Swift encodes a value to: for an enum an object of one member, whose name is the case's.
    func sealed(_ tree: JSONTree) -> JSONTree {
        guard case .object(let members) = tree, members.count == 1, let (name, values) = members.first,
            case .object(let labelled) = values
        else { return tree }
        let isUnlabelled = labelled.count == 1 && labelled[Self.unlabelled] != nil
        let payload = isUnlabelled ? labelled[Self.unlabelled] ?? .null : values
        var message: [String: JSONTree] = [type: .string(name)]
        if let content {
            if isUnlabelled || !labelled.isEmpty { message[content] = payload }
        } else if case .object(let beside) = payload {
            message.merge(beside) { named, _ in named }
        } else {
            message[Self.scalar] = payload
        }
        return .object(message)
    }

    /// What a message may be decoded from, the likeliest first: which one fits, only the type knows.
    func opened(_ message: JSONTree) -> [JSONTree] {
        guard case .object(var members) = message, case .string(let name)? = members.removeValue(forKey: type) else {
            return [message]
        }
        let payload = content.map { members[$0] ?? .object([:]) } ?? .object(members)
        var candidates: [JSONTree] = []
        if case .object = payload { candidates.append(.object([name: payload])) }
        candidates.append(.object([name: .object([Self.unlabelled: payload])]))
        if content == nil, let value = members[Self.scalar] {
            candidates.append(.object([name: .object([Self.unlabelled: value])]))
        }
        return candidates + [message]
    }
}

extension JSONTree: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: AnyKey.self)
            for (name, value) in members { try container.encode(value, forKey: AnyKey(name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(to: &container)
        }
    }

    private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .null, .array, .object: try container.encodeNil()
        }
    }
}
