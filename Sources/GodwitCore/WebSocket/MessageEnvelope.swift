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
    ///
    /// Values are moved as they are written, so that no number loses digits.
    package func sealed(_ json: Data) -> Data {
        guard let encoded = JSONMembers(json), encoded.members.count == 1, let member = encoded.members.first,
            let labelled = JSONMembers(member.value)
        else { return json }
        let isUnlabelled = labelled.members.count == 1 && labelled[Self.unlabelled] != nil
        let payload = isUnlabelled ? labelled[Self.unlabelled] ?? [] : member.value
        var message = JSONMembers([.init(type, JSONMembers.quoted(member.name))])
        if let content {
            if isUnlabelled || !labelled.members.isEmpty { message.members.append(.init(content, payload)) }
        } else if let beside = JSONMembers(payload) {
            // The case's name stands for itself, also beside a member called the same.
            message.members += beside.members.filter { $0.name != type }
        } else {
            message.members.append(.init(Self.scalar, payload))
        }
        return Data(message.text)
    }

    /// What a message may be decoded from, the likeliest first: which one fits, only the type knows.
    func opened(_ json: Data) -> [Data] {
        guard var message = JSONMembers(json), let name = message.remove(type).flatMap(Self.string) else {
            return [json]
        }
        let payload = content.map { message[$0] ?? Array("{}".utf8) } ?? message.text
        func wrapped(_ value: [UInt8]) -> Data { Data(JSONMembers([.init(name, value)]).text) }
        func unlabelled(_ value: [UInt8]) -> Data { wrapped(JSONMembers([.init(Self.unlabelled, value)]).text) }
        var candidates: [Data] = []
        if JSONMembers(payload) != nil { candidates.append(wrapped(payload)) }
        candidates.append(unlabelled(payload))
        if content == nil, let value = message[Self.scalar] { candidates.append(unlabelled(value)) }
        return candidates + [json]
    }

    /// The value of a message. Throws `.decoding` for a message that holds none of this type.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from message: WebSocketMessage, by coding: JSONCoding
    ) throws(NetworkError) -> Value {
        let data =
            switch message {
            case .text(let text): Data(text.utf8)
            case .binary(let data): data
            }
        var first: NetworkError?
        for candidate in opened(data) {
            do throws(NetworkError) {
                return try coding.decode(type, from: candidate)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? NetworkError(.decoding(.init(path: "", reason: "the message is empty")), phase: .decoding)
    }

    private static func string(_ json: [UInt8]) -> String? {
        try? JSONDecoder().decode(String.self, from: Data(json))
    }
}
