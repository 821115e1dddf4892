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
