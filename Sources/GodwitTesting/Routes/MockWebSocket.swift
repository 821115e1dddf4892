@_spi(Engines) public import GodwitCore

/// The server's end of a WebSocket, for the closure of a route, with optional faults.
///
/// ```swift
/// route.webSocket("/echo") { socket in
///     for try await message in socket.messages { try await socket.send(message) }
/// }
/// ```
///
/// When the closure returns, the socket is closed with 1000; when it throws, with 1011.
public final class MockWebSocket: Sendable {
    /// The request of the handshake.
    public let request: MockRequest

    /// The socket, as on the client's side.
    public let socket: WebSocket

    private let connection: any MockDuplex
    let isReset = Watched(false)

    init(_ request: MockRequest, _ socket: WebSocket, _ connection: any MockDuplex) {
        self.request = request
        self.socket = socket
        self.connection = connection
    }

    /// The agreed subprotocol.
    public var subprotocol: String? { socket.subprotocol }

    /// The received messages.
    public var messages: WebSocketMessages { socket.messages }

    /// Receives the next message. Throws what `WebSocket.receive()` throws.
    public func receive() async throws(NetworkError) -> WebSocketMessage {
        try await socket.receive()
    }

    /// Sends a message. Throws what `WebSocket.send(_:)` throws.
    public func send(_ message: WebSocketMessage) async throws(NetworkError) {
        try await socket.send(message)
    }

    /// Sends a text message.
    public func send(_ text: String) async throws(NetworkError) {
        try await socket.send(text)
    }

    /// Sends a value as JSON text, with the keys and dates of the API.
    ///
    /// ```swift
    /// route.webSocket("/live") { socket in try await socket.send(json: LiveMessage.ping) }     // {"type":"ping"}
    /// ```
    ///
    /// - Parameters:
    ///   - value: The message. An enum is sent with its case under `type`, as a `TypedWebSocket` sends it.
    ///   - envelope: The client's naming of an enum's case.
    /// - Throws: `.encoding` if the value can't be encoded, and what ``send(_:)-(WebSocketMessage)`` throws.
    public func send(
        json value: some Encodable & Sendable, envelope: MessageEnvelope = MessageEnvelope()
    ) async throws(NetworkError) {
        try await socket.send(String(decoding: envelope.sealed(try request.coding.encode(value)), as: UTF8.self))
    }

    /// Receives the next message and decodes it from JSON, with the keys and dates of the API.
    ///
    /// - Parameters:
    ///   - type: The type of the message. An enum is decoded as a `TypedWebSocket` decodes it.
    ///   - envelope: The client's naming of an enum's case.
    /// - Throws: `.decoding` if the message has another type, and what ``receive()`` throws.
    public func receive<Message: Decodable & Sendable>(
        as type: Message.Type, envelope: MessageEnvelope = MessageEnvelope()
    ) async throws(NetworkError) -> Message {
        try envelope.decode(type, from: try await socket.receive(), by: request.coding)
    }

    /// Sends a close frame and closes the socket.
    ///
    /// - Parameters:
    ///   - code: 1000 by default. A reserved code is omitted.
    ///   - reason: At most 123 bytes of UTF-8; a longer reason is truncated at a character.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        await socket.close(code, reason: reason)
    }

    /// Writes bytes to the connection unchanged, to send an invalid frame. Throws if the connection has ended.
    ///
    /// - Parameter bytes: Complete frames, or what pretends to be.
    public func sendRaw(_ bytes: [UInt8]) async throws(NetworkError) {
        let failure: NetworkError? = await withUnsafeContinuation { continuation in
            connection.write(bytes) { continuation.resume(returning: $0) }
        }
        if let failure { throw failure }
    }

    /// Ignores everything that the client sends from now on, including pings and close frames.
    ///
    /// ```swift
    /// route.webSocket("/live") { socket in
    ///     socket.fallSilent()
    ///     try await clock.sleep(for: .seconds(3600))              // the client's keepalive detects it earlier
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

/// The server's end of an upgraded connection, with the faults that a test can cause.
protocol MockDuplex: DuplexConnection {
    /// Ends the connection immediately and drops queued bytes.
    ///
    /// - Parameter resets: Whether the peer sees a reset.
    func interrupt(resets: Bool)

    /// Reads and ignores all bytes, including pings and close frames.
    func fallSilent()
}
