/// A reconnecting WebSocket whose messages are values, encoded as JSON that names the case. See ``MessageEnvelope``.
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
    /// The underlying socket, for example for its states.
    public let socket: ReconnectingWebSocket

    private let envelope: MessageEnvelope
    private let coding: JSONCoding

    /// Creates a typed socket over another one.
    ///
    /// - Parameters:
    ///   - socket: The socket for the encoded messages.
    ///   - envelope: How cases become JSON objects.
    ///   - coding: How values are encoded as JSON and decoded.
    public init(
        _ socket: ReconnectingWebSocket, envelope: MessageEnvelope = MessageEnvelope(),
        coding: JSONCoding = JSONCoding()
    ) {
        self.socket = socket
        self.envelope = envelope
        self.coding = coding
    }

    /// Sends a value as a text message, or keeps it for the next connection.
    ///
    /// - Throws: `.encoding` if the value can't be encoded, and what
    ///   ``ReconnectingWebSocket/send(_:)-(WebSocketMessage)`` throws.
    public func send(_ message: Message) async throws(NetworkError) {
        let json = envelope.sealed(try coding.encode(message))
        try await socket.send(.text(String(decoding: json, as: UTF8.self)))
    }

    /// Waits for the next value.
    ///
    /// - Throws: `.decoding` if the message isn't a value, after which the next one can be read, and what
    ///   ``ReconnectingWebSocket/receive()`` throws.
    public func receive() async throws(NetworkError) -> Message {
        try envelope.decode(Message.self, from: try await socket.receive(), by: coding)
    }

    /// The values as they arrive. A message that isn't a value ends the loop with `.decoding`.
    public var messages: TypedMessages<Message> { TypedMessages(self) }

    /// Closes the socket. It doesn't reconnect.
    ///
    /// - Parameters:
    ///   - code: The close code to send.
    ///   - reason: The reason to send. Truncated to 123 bytes of UTF-8.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        await socket.close(code, reason: reason)
    }
}

/// The values of a ``TypedWebSocket`` as they arrive.
public struct TypedMessages<Message: Codable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Message

    private let socket: TypedWebSocket<Message>

    init(_ socket: TypedWebSocket<Message>) {
        self.socket = socket
    }

    /// One loop over the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let socket: TypedWebSocket<Message>

        /// The next value; `nil` after a clean end.
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

/// Maps the cases of an enum to JSON messages that name the case.
///
/// | case | message |
/// | --- | --- |
/// | `.subscribe(channel: "tides")` | `{"type":"subscribe","channel":"tides"}` |
/// | `.article(Article)` | `{"type":"article","id":1,"title":"Tides"}` |
/// | `.count(3)` | `{"type":"count","value":3}` |
/// | `.ping` | `{"type":"ping"}` |
///
/// With a ``content`` key, the associated values go under that key: `{"type":"article","data":{"id":1,"title":"Tides"}}`.
/// A type other than an enum is encoded without changes; it needs its own member for the type.
public struct MessageEnvelope: Sendable, Hashable {
    /// The member that names the case. `type` by default.
    public var type: String

    /// The member that holds the associated values; `nil` (the default) puts them next to the type.
    public var content: String?

    /// Creates an envelope from the names of its JSON members.
    ///
    /// - Parameters:
    ///   - type: The member that names the case.
    ///   - content: The member that holds the associated values; `nil` puts them next to the type.
    public init(type: String = "type", content: String? = nil) {
        self.type = type
        self.content = content
    }

    /// Swift's name for a value without a label.
    private static let unlabeled = "_0"
    /// The member for a value without a label that isn't an object.
    private static let scalar = "value"

    /// The message for Swift's encoding of a value, which for an enum is an object with one member named after the case.
    ///
    /// The text of values is copied, so that numbers keep their digits.
    package func sealed(_ json: Data) -> Data {
        guard let encoded = JSONMembers(json), encoded.members.count == 1, let member = encoded.members.first,
            let labeled = JSONMembers(member.value)
        else { return json }
        let isUnlabeled = labeled.members.count == 1 && labeled[Self.unlabeled] != nil
        let payload = isUnlabeled ? labeled[Self.unlabeled] ?? [] : member.value
        var message = JSONMembers([.init(type, JSONMembers.quoted(member.name))])
        if let content {
            if isUnlabeled || !labeled.members.isEmpty { message.members.append(.init(content, payload)) }
        } else if let values = JSONMembers(payload) {
            // The case's name wins over a member with the same key.
            message.members += values.members.filter { $0.name != type }
        } else {
            message.members.append(.init(Self.scalar, payload))
        }
        return Data(message.text)
    }

    /// The encodings that a message may stand for, likeliest first. Only the type can tell which one fits.
    private func opened(_ json: Data) -> [Data] {
        guard var message = JSONMembers(json), let name = message.remove(type).flatMap(Self.string) else {
            return [json]
        }
        let payload = content.map { message[$0] ?? Array("{}".utf8) } ?? message.text
        func wrapped(_ value: [UInt8]) -> Data { Data(JSONMembers([.init(name, value)]).text) }
        func unlabeled(_ value: [UInt8]) -> Data { wrapped(JSONMembers([.init(Self.unlabeled, value)]).text) }
        var candidates: [Data] = []
        if JSONMembers(payload) != nil { candidates.append(wrapped(payload)) }
        candidates.append(unlabeled(payload))
        if content == nil, let value = message[Self.scalar] { candidates.append(unlabeled(value)) }
        return candidates + [json]
    }

    /// Decodes a message. Throws `.decoding` if it isn't a value of this type.
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
        try? JSONModelDecoder().decode(String.self, from: Data(json))
    }
}
