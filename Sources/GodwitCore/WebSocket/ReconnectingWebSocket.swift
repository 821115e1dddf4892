/// A WebSocket that reconnects, after pauses that grow, until it is closed or the server rejects it.
///
/// ```swift
/// let socket = api.reconnectingWebSocket("live") { socket, reconnect in
///     reconnect.onConnect = { socket in try await socket.send("subscribe articles") }
/// }
/// for try await message in socket.messages { show(message) }
/// ```
///
/// Messages that the server sends between two connections are lost. Request them again in ``ReconnectOptions/onConnect`` if
/// your protocol can. Releasing the socket closes it.
///
/// **Duplicates**: if a connection ends while a message is being sent, the message is sent again over the next connection, as
/// the peer may or may not have received it. All other messages are sent once; the peer may miss those in transit when a
/// connection ends. Give messages an ID if that matters.
public final class ReconnectingWebSocket: Sendable {
    /// The state of the connection.
    public enum State: Sendable {
        /// An attempt is in progress. The count starts at 1, and restarts after ``ReconnectOptions/settledAfter``.
        case connecting(attempt: Int)
        /// Messages are sent and received.
        case open
        /// The next attempt follows after this pause.
        case waiting(Duration, after: NetworkError)
        /// The socket is closed: by ``ReconnectingWebSocket/close(_:reason:)`` (`nil`), or by an error that another attempt
        /// would not fix.
        case closed(NetworkError?)
    }

    /// Makes a connection; throws ``NetworkError``.
    public typealias Connect = @Sendable () async throws(NetworkError) -> WebSocket

    private let session: ReconnectingSession

    /// Creates a socket that starts to connect immediately.
    ///
    /// - Parameters:
    ///   - options: How it reconnects, and how many messages wait meanwhile.
    ///   - connect: Makes a connection; called for each attempt.
    public init(_ options: ReconnectOptions = ReconnectOptions(), connect: @escaping Connect) {
        session = ReconnectingSession(options, connect)
        session.start()
    }

    deinit {
        session.abandon()
    }

    /// Closes the socket without waiting for the peer.
    func end(_ error: NetworkError) {
        session.end(error, saying: CloseContent(.goingAway))
    }

    /// The current state, then every change, until `.closed`. Each access starts a new sequence.
    public var states: AsyncStream<State> { session.states() }

    /// Sends a message, or keeps it for the next connection. Returns when the system has it, or when it is kept.
    ///
    /// - Throws: `.transport(.cannotSendBody)` if too many messages are kept and ``ReconnectOptions/overflow`` is `.fail`;
    ///   after the end, what ended the socket.
    public func send(_ message: WebSocketMessage) async throws(NetworkError) {
        try await session.send(message)
    }

    /// Sends a text message, or keeps it for the next connection.
    public func send(_ text: String) async throws(NetworkError) {
        try await session.send(.text(text))
    }

    /// Waits for the next message from any connection. Canceling the task ends only this wait.
    ///
    /// - Throws: After the end, what ended the socket; `.socketClosed` with 1000 after ``close(_:reason:)``.
    public func receive() async throws(NetworkError) -> WebSocketMessage {
        try await session.inbox.take()
    }

    /// The messages of all connections. The loop ends after ``close(_:reason:)`` or a server's close with 1000.
    public var messages: WebSocketMessages {
        WebSocketMessages(from: { () throws(NetworkError) in try await self.receive() }) { $0 == .normalClosure }
    }

    /// Closes the socket. It doesn't reconnect.
    ///
    /// - Parameters:
    ///   - code: The close code to send.
    ///   - reason: The reason to send. Truncated to 123 bytes of UTF-8.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        await session.close(CloseContent(code, reason: reason))
    }
}

/// Configures how a ``ReconnectingWebSocket`` reconnects.
public struct ReconnectOptions: Sendable {
    /// What happens to a message that is sent while too many others wait for a connection.
    public enum Overflow: Sendable, Hashable {
        /// The oldest waiting message is dropped. A message that is being sent doesn't count as waiting.
        case dropOldest
        /// The new message is dropped.
        case dropNewest
        /// `send` throws `.transport(.cannotSendBody)`.
        case fail
    }

    /// The pauses between attempts. By default random, up to half a second after the first failure and 30 seconds after
    /// many.
    public var backoff = Backoff()

    /// The maximum `Retry-After` to wait for: if a server asks for more, the next attempt follows after this time. One
    /// minute by default.
    public var longestRetryAfter = RetryPause.longest

    /// A connection that lasts this long restarts the count of failures, and so the pauses. Ten seconds by default.
    public var settledAfter: Duration = .seconds(10)

    /// How many messages wait for the next connection. 100 by default; 0 keeps none.
    public var outgoingLimit = 100

    /// What happens to a message beyond ``outgoingLimit``. `.fail` by default, so that no message is lost unnoticed.
    public var overflow = Overflow.fail

    /// Returns whether to reconnect after an error. By default ``NetworkError/isRetryable``: true for lost connections,
    /// timeouts and overloaded servers; false for a close with 1000 and for a status such as 403.
    public var reconnects: @Sendable (NetworkError) -> Bool = { $0.isRetryable }

    /// Called with each new connection before anything else is sent, for example to subscribe. An error counts as a failed
    /// attempt.
    public var onConnect: @Sendable (WebSocket) async throws -> Void = { _ in }

    /// The clock for pauses.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The random number generator for pauses.
    public var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Creates options with default values.
    public init() {}
}
