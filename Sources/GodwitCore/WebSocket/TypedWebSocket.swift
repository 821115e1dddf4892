/// A WebSocket whose messages are values: JSON that names its case, as ``MessageEnvelope`` says.
///
/// ```swift
/// nonisolated enum LiveMessage: Codable { case subscribe(channel: String), article(Article) }
///
/// let socket = api.webSocket("live", as: LiveMessage.self)
/// try await socket.send(.subscribe(channel: "articles"))
/// for try await message in socket.messages {
///     if case .article(let article) = message { show(article) }
/// }
/// ```
public final class TypedWebSocket<Message: Codable & Sendable>: Sendable {
    /// The socket below, for its states and its end.
    public let socket: ReconnectingWebSocket

    private let envelope: MessageEnvelope
    private let coding: JSONCoding

    /// Makes one over a socket.
    ///
    /// - Parameter coding: How values are written as JSON and read from it.
    public init(
        _ socket: ReconnectingWebSocket, envelope: MessageEnvelope = MessageEnvelope(),
        coding: JSONCoding = JSONCoding()
    ) {
        self.socket = socket
        self.envelope = envelope
        self.coding = coding
    }

    /// Sends a value as text, or keeps it for the next connection.
    ///
    /// Throws `.encoding` for a value that is no JSON, and what ``ReconnectingWebSocket/send(_:)-(WebSocketMessage)``
    /// throws.
    ///
    /// - Parameter message: The value; written as JSON by its own coding.
    public func send(_ message: Message) async throws(NetworkError) {
        try await socket.send(.text(try text(of: message)))
    }

    /// The next value. Throws `.decoding` for a message that is none, after which the next can be read, and what
    /// ``ReconnectingWebSocket/receive()`` throws.
    public func receive() async throws(NetworkError) -> Message {
        try value(of: try await socket.receive())
    }

    /// The values as they come; a message that is none ends the loop with `.decoding`.
    public var messages: TypedMessages<Message> { TypedMessages(self) }

    /// Says goodbye and stays closed.
    ///
    /// - Parameters:
    ///   - code: Why.
    ///   - reason: Why, in words; at most 123 bytes of UTF-8 are sent.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        await socket.close(code, reason: reason)
    }

    private func text(of message: Message) throws(NetworkError) -> String {
        String(decoding: envelope.sealed(try coding.encode(message)), as: UTF8.self)
    }

    private func value(of message: WebSocketMessage) throws(NetworkError) -> Message {
        try envelope.decode(Message.self, from: message, by: coding)
    }
}

/// The values of a ``TypedWebSocket``, as they come.
public struct TypedMessages<Message: Codable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Message

    private let socket: TypedWebSocket<Message>

    init(_ socket: TypedWebSocket<Message>) {
        self.socket = socket
    }

    /// One loop over the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let socket: TypedWebSocket<Message>

        /// The next value; nil after a clean end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Message? {
            do throws(NetworkError) {
                return try await socket.receive()
            } catch {
                if case .socketClosed(.normalClosure, _) = error.kind { return nil }
                throw error
            }
        }

        public mutating func next() async throws(NetworkError) -> Message? {
            try await next(isolation: nil)
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(socket: socket)
    }
}

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
