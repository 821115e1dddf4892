import GodwitSupport

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
/// - **Reading**: ``receive()`` for one message, ``messages`` for all. A slow reader slows the peer.
/// - **Writing**: ``send(_:)-(WebSocketMessage)`` returns when the system has the message. Any number of tasks may send.
/// - **The end**: ``close(_:reason:)``, releasing the socket, or canceling a task that reads or sends closes the connection.
///   Then every call throws the reason.
///
/// Pings are answered automatically, and the peer is pinged as ``WebSocketOptions/keepalive`` says.
public final class WebSocket: Sendable {
    /// The subprotocol that the server chose; `nil` if it chose none of those offered.
    public let subprotocol: String?

    /// The head of the server's response to the handshake.
    public let head: HTTPResponseHead

    /// Whether the server agreed to compress messages.
    public let isCompressed: Bool

    private let link: WebSocketLink

    /// Uses a byte connection after a successful handshake.
    package convenience init(
        _ role: WebSocketRole, _ connection: any DuplexConnection, _ options: WebSocketOptions,
        _ agreement: WebSocketHandshake.Agreement, _ head: HTTPResponseHead
    ) {
        self.init(FramedConnection(role, connection, options, agreement.deflate), options, agreement, head)
    }

    /// Uses a message connection after a successful handshake.
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

    /// Sends a message; returns when the system has all of it. Waits while the peer doesn't read.
    ///
    /// Canceling the task closes the socket, as part of the message may have been sent.
    ///
    /// - Throws: What ended the socket.
    public func send(_ message: WebSocketMessage) async throws(NetworkError) {
        try await link.send(message)
    }

    /// Sends a text message.
    public func send(_ text: String) async throws(NetworkError) {
        try await link.send(.text(text))
    }

    /// Sends a binary message.
    public func send(_ data: Data) async throws(NetworkError) {
        try await link.send(.binary(data))
    }

    /// Waits for the next message. Canceling the task closes the socket.
    ///
    /// - Throws: After the last message, what ended the socket: `.socketClosed` with the close frame's code and reason,
    ///   `.transport(.connectionLost)` if there was no close frame, `.tooLarge` for a message above the limit,
    ///   `.transport(.protocolViolation)`, `.timedOut(.inactivity)` if the peer stopped answering, or `.cancelled`.
    public func receive() async throws(NetworkError) -> WebSocketMessage {
        try await link.receive()
    }

    /// The messages as they arrive. The loop ends after a close with the code 1000, or after ``close(_:reason:)`` with any
    /// code; otherwise it throws like ``receive()``.
    ///
    /// The socket stays open after the loop. If several loops run, each gets some of the messages.
    public var messages: WebSocketMessages {
        WebSocketMessages(from: { () throws(NetworkError) in try await self.receive() }) { code in
            code == .normalClosure || self.isClosing
        }
    }

    /// Sends a ping and waits for its pong; returns the round-trip time.
    ///
    /// Messages must be read for the pong to arrive.
    ///
    /// - Throws: What ended the socket.
    @discardableResult
    public func ping() async throws(NetworkError) -> Duration {
        let start = link.timeline.now
        try await link.ping()
        return link.timeline.now - start
    }

    /// Sends a close frame, waits up to ``WebSocketOptions/closeTimeout`` for the peer's close frame, and closes.
    ///
    /// Messages that have arrived can still be read. Further calls wait for the same end.
    ///
    /// - Parameters:
    ///   - code: The close code to send. A code that is not ``WebSocketCloseCode/isSendable`` is omitted.
    ///   - reason: The reason to send. Truncated to 123 bytes of UTF-8.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        await link.close(CloseContent(code, reason: reason))
    }

    /// The code of the peer's close frame, or 1006 if there was none; `nil` while the socket is open.
    public var closeCode: WebSocketCloseCode? { link.closeContent?.code }

    /// The reason in the peer's close frame, possibly empty; `nil` while the socket is open.
    public var closeReason: String? { link.closeContent?.reason }

    /// Whether ``close(_:reason:)`` was called.
    var isClosing: Bool { link.isClosing }
}

/// The messages of a ``WebSocket`` or a ``ReconnectingWebSocket`` as they arrive.
public struct WebSocketMessages: AsyncSequence, Sendable {
    typealias Receive = @Sendable () async throws(NetworkError) -> WebSocketMessage

    private let receive: Receive
    private let isCleanEnd: @Sendable (WebSocketCloseCode) -> Bool

    /// - Parameter isCleanEnd: Whether a loop ends without an error after a close with this code.
    init(from receive: @escaping Receive, endingAt isCleanEnd: @escaping @Sendable (WebSocketCloseCode) -> Bool) {
        self.receive = receive
        self.isCleanEnd = isCleanEnd
    }

    /// One loop over the messages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let receive: Receive
        fileprivate let isCleanEnd: @Sendable (WebSocketCloseCode) -> Bool

        /// The next message; `nil` after a clean end.
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
