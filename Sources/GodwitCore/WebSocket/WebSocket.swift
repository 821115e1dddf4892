/// A WebSocket (RFC 6455): messages in both directions over one connection.
///
/// ```swift
/// let socket = try await api.webSocket("live")
/// try await socket.send("hello")
/// for try await message in socket.messages {
///     if case .text(let text) = message { print(text) }
/// }
/// ```
///
/// - **Reading**: ``receive()`` for one message, ``messages`` for all. Who reads slowly slows the peer.
/// - **Writing**: ``send(_:)-(WebSocketMessage)`` returns when the system has the message. Any number of tasks may send.
/// - **The end**: ``close(_:reason:)``, letting go of the socket, or cancelling a task that reads or sends; then
///   everything throws the reason, and no connection is left behind.
///
/// Pings are answered, and the peer is pinged as ``WebSocketOptions/keepalive`` says, without anybody's doing.
public final class WebSocket: Sendable {
    /// The subprotocol that the server chose, of those offered; nil for none.
    public let subprotocol: String?

    /// The server's answer to the handshake.
    public let head: HTTPResponseHead

    /// Whether messages may be compressed: the server agreed.
    public let isCompressed: Bool

    private let link: WebSocketLink

    /// Takes over a connection whose handshake is done, and whose messages we frame.
    package convenience init(
        _ role: WebSocketRole, _ connection: any DuplexConnection, _ options: WebSocketOptions,
        _ agreement: WebSocketHandshake.Agreement, _ head: HTTPResponseHead
    ) {
        self.init(FramedConnection(role, connection, options, agreement.deflate), options, agreement, head)
    }

    /// Takes over a connection whose handshake is done, and whose messages are framed already.
    package init(
        _ connection: any MessageConnection, _ options: WebSocketOptions, _ agreement: WebSocketHandshake.Agreement,
        _ head: HTTPResponseHead
    ) {
        subprotocol = agreement.subprotocol
        isCompressed = agreement.deflate != nil
        self.head = head
        link = WebSocketLink(connection, options)
        link.start()
    }

    deinit {
        link.abandon()
    }

    /// Sends a message; returns when the system has taken all of it.
    ///
    /// A peer that does not read makes this wait. Throws what ended the socket; cancelling the task closes it, as half
    /// a message cannot be taken back.
    ///
    /// - Parameter message: A text or bytes.
    public func send(_ message: WebSocketMessage) async throws(NetworkError) {
        try await link.send(message)
    }

    /// Sends text.
    ///
    /// - Parameter text: Sent as a text message, in UTF-8.
    public func send(_ text: String) async throws(NetworkError) {
        try await link.send(.text(text))
    }

    /// Sends bytes.
    ///
    /// - Parameter data: Sent as a binary message.
    public func send(_ data: Data) async throws(NetworkError) {
        try await link.send(.binary(data))
    }

    /// The next message; waits for it where there is none.
    ///
    /// Throws once the socket is over and what had come before was read: `.socketClosed` with the close frame's code
    /// and reason, `.transport(.connectionLost)` where there was no close frame, `.tooLarge` for a message beyond the
    /// limit, `.transport(.protocolViolation)`, `.timedOut(.inactivity)` for a peer that stopped answering. Cancelling
    /// the task closes the socket and throws `.cancelled`.
    public func receive() async throws(NetworkError) -> WebSocketMessage {
        try await link.receive()
    }

    /// The messages as they come. The loop ends when either side closes with the code 1000, or we did with any; else it
    /// throws as ``receive()`` does.
    ///
    /// Leaving the loop leaves the socket open: another may go on. Of several loops each gets some of the messages.
    public var messages: WebSocketMessages {
        WebSocketMessages(from: { () throws(NetworkError) in try await self.receive() }) { code in
            code == .normalClosure || self.isClosing
        }
    }

    /// Sends a ping and waits for its pong; returns how long that took.
    ///
    /// Throws what ended the socket meanwhile. The peer's messages must be read for the pong to arrive.
    @discardableResult
    public func ping() async throws(NetworkError) -> Duration {
        let start = link.timeline.now
        try await link.ping()
        return link.timeline.now - start
    }

    /// Says goodbye, waits for the peer's goodbye as long as ``WebSocketOptions/closeTimeout``, and closes.
    ///
    /// Messages that have come can still be read. Calling it again waits for the same end.
    ///
    /// - Parameters:
    ///   - code: One that ``WebSocketCloseCode/isSendable``; another is left out of the frame.
    ///   - reason: At most 123 bytes of UTF-8; more is cut.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        await link.close(CloseContent(code, reason: reason))
    }

    /// The code of the peer's close frame, or 1006 where the socket ended without; nil while it is open.
    public var closeCode: WebSocketCloseCode? { link.farewell?.code }

    /// The reason in the peer's close frame, maybe empty; nil while the socket is open.
    public var closeReason: String? { link.farewell?.reason }

    /// Whether the end was asked for by ``close(_:reason:)``.
    var isClosing: Bool { link.isClosing }
}

/// The messages of a ``WebSocket`` or a ``ReconnectingWebSocket``, as they come.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// Waits for the next message.
    typealias Receive = @Sendable () async throws(NetworkError) -> WebSocketMessage

    private let receive: Receive
    private let isCleanEnd: @Sendable (WebSocketCloseCode) -> Bool

    /// - Parameter isCleanEnd: Whether a loop ends without an error where the peer closed with a code.
    init(from receive: @escaping Receive, endingAt isCleanEnd: @escaping @Sendable (WebSocketCloseCode) -> Bool) {
        self.receive = receive
        self.isCleanEnd = isCleanEnd
    }

    /// One loop over the messages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let receive: Receive
        fileprivate let isCleanEnd: @Sendable (WebSocketCloseCode) -> Bool

        /// The next message; nil after a clean end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> WebSocketMessage? {
            do throws(NetworkError) {
                return try await receive()
            } catch {
                if case .socketClosed(let code, _) = error.kind, isCleanEnd(code) { return nil }
                throw error
            }
        }

        public mutating func next() async throws(NetworkError) -> WebSocketMessage? {
            try await next(isolation: nil)
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(receive: receive, isCleanEnd: isCleanEnd)
    }
}
