public import GodwitCore

/// A server's side of a WebSocket, for the closure of a route, with whatever is to go wrong on it.
///
/// ```swift
/// route.webSocket("/echo") { socket in
///     for try await message in socket.messages { try await socket.send(message) }
/// }
/// ```
///
/// It speaks by the same codec as the client. Returning from the closure closes it with 1000, throwing with 1011.
public final class MockWebSocket: Sendable {
    /// The handshake's request.
    public let request: MockRequest

    /// The socket itself; nothing but the faults below is different from a client's.
    public let socket: WebSocket

    private let connection: any MockDuplex
    let isReset = Watched(false)

    init(_ request: MockRequest, _ socket: WebSocket, _ connection: any MockDuplex) {
        self.request = request
        self.socket = socket
        self.connection = connection
    }

    /// The subprotocol that was chosen.
    public var subprotocol: String? { socket.subprotocol }

    /// The messages as they come.
    public var messages: WebSocketMessages { socket.messages }

    /// The next message; throws as `WebSocket.receive()` does.
    public func receive() async throws(NetworkError) -> WebSocketMessage {
        try await socket.receive()
    }

    /// Sends a message; throws as the client's does.
    ///
    /// - Parameter message: A text or bytes.
    public func send(_ message: WebSocketMessage) async throws(NetworkError) {
        try await socket.send(message)
    }

    /// Sends text.
    ///
    /// - Parameter text: Sent as a text message.
    public func send(_ text: String) async throws(NetworkError) {
        try await socket.send(text)
    }

    /// Sends a value as JSON text, with the API's keys and dates.
    ///
    /// ```swift
    /// route.webSocket("/live") { socket in try await socket.send(json: LiveMessage.ping) }     // {"type":"ping"}
    /// ```
    ///
    /// - Parameters:
    ///   - value: The message. An enum is sent as a `TypedWebSocket` sends it, with its case under `type`.
    ///   - envelope: How an enum's case is named; the client's.
    /// - Throws: `.encoding` for a value that cannot be written as JSON, and what ``send(_:)-(WebSocketMessage)`` throws.
    public func send(
        json value: some Encodable & Sendable, envelope: MessageEnvelope = MessageEnvelope()
    ) async throws(NetworkError) {
        try await socket.send(String(decoding: envelope.sealed(try request.coding.encode(value)), as: UTF8.self))
    }

    /// The next message, decoded from JSON with the API's keys and dates.
    ///
    /// - Parameters:
    ///   - type: The type of the message. An enum is read as a `TypedWebSocket` reads it.
    ///   - envelope: How an enum's case is named; the client's.
    /// - Throws: `.decoding` for a message of another type, and what ``receive()`` throws.
    public func receive<Message: Decodable & Sendable>(
        as type: Message.Type, envelope: MessageEnvelope = MessageEnvelope()
    ) async throws(NetworkError) -> Message {
        try envelope.decode(type, from: try await socket.receive(), by: request.coding)
    }

    /// Sends a close frame and closes.
    ///
    /// - Parameters:
    ///   - code: 1000 by default; a code that may not be sent goes out as none.
    ///   - reason: At most 123 bytes of UTF-8; more is cut at a character.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        await socket.close(code, reason: reason)
    }

    /// Sends bytes as they are, frames or not; what no peer should.
    ///
    /// Throws where the connection is gone.
    ///
    /// - Parameter bytes: Written to the socket as they are, framing included.
    public func sendRaw(_ bytes: [UInt8]) async throws(NetworkError) {
        let failure: NetworkError? = await withUnsafeContinuation { continuation in
            connection.write(bytes) { continuation.resume(returning: $0) }
        }
        if let failure { throw failure }
    }

    /// Ignores whatever the client sends from now on: pings get no pong, a close frame no answer.
    ///
    /// ```swift
    /// route.webSocket("/live") { socket in
    ///     socket.fallSilent()
    ///     try await clock.sleep(for: .seconds(3600))              // the client's keepalive finds out before that
    /// }
    /// ```
    public func fallSilent() {
        connection.fallSilent()
    }

    /// Ends the connection without a close frame (FIN).
    public func drop() {
        connection.interrupt(resets: false)
    }

    /// Ends the connection with a reset (RST).
    public func reset() {
        isReset.update { $0 = true }
        connection.interrupt(resets: true)
    }
}

/// A server's end of a connection that switched protocols, with the faults that a script may cause on it.
protocol MockDuplex: DuplexConnection {
    /// Ends the connection at once, whatever waits to be written.
    ///
    /// - Parameter resets: Whether the peer is to see that it broke.
    func interrupt(resets: Bool)

    /// Reads what comes and ignores it, pings and close frames included.
    func fallSilent()
}
