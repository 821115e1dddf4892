/// A WebSocket that comes back: when the connection breaks it makes another one, after pauses that grow, until it is closed
/// or the server will not have it.
///
/// ```swift
/// let socket = api.reconnectingWebSocket("live") { socket, reconnect in
///     reconnect.onConnect = { socket in try await socket.send("subscribe articles") }
/// }
/// for try await message in socket.messages { show(message) }
/// ```
///
/// What the server sent while there was no connection is lost, unless the protocol above asks for it again: that is what
/// ``ReconnectOptions/onConnect`` is for. Releasing the socket closes it.
///
/// **What can arrive twice**: a message whose sending was cut off by the end of its connection. Nobody knows whether the peer
/// has it, so it is sent again, as the first, over the next connection. Messages that wait for a connection, and those that
/// the system has taken, are sent once; of the latter the peer may miss those that were on their way. Give messages an ID if
/// that matters.
public final class ReconnectingWebSocket: Sendable {
    /// How it stands.
    public enum State: Sendable {
        /// An attempt is being made; they are counted from 1, and again after a connection that lasted.
        case connecting(attempt: Int)
        /// Messages pass.
        case open
        /// The next attempt comes after this pause.
        case waiting(Duration, after: NetworkError)
        /// It is over: closed by us (nil), or for a reason that no attempt would change.
        case closed(NetworkError?)
    }

    /// Makes a connection; throws ``NetworkError``.
    public typealias Connect = @Sendable () async throws(NetworkError) -> WebSocket

    private let session: ReconnectingSession

    /// Begins to connect, by a closure.
    ///
    /// - Parameters:
    ///   - options: How it comes back, and what waits meanwhile.
    ///   - connect: Makes a connection; called for each attempt.
    public init(_ options: ReconnectOptions = ReconnectOptions(), connect: @escaping Connect) {
        session = ReconnectingSession(options, connect)
        session.start()
    }

    deinit {
        session.abandon()
    }

    /// Closes it for good, without waiting for the peer.
    func end(_ error: NetworkError) {
        session.end(error, saying: CloseContent(.goingAway))
    }

    /// How it stands now, and what becomes of it; ends with `.closed`. Each loop sees every change.
    public var states: AsyncStream<State> { session.states() }

    /// Sends a message, or keeps it for the next connection where there is none.
    ///
    /// Returns when the system has it, or when it is kept. Throws `.transport(.cannotSendBody)` where too many are kept
    /// already and ``ReconnectOptions/overflow`` is `.fail`, and what ended the socket once it is over.
    ///
    /// - Parameter message: A text or bytes.
    public func send(_ message: WebSocketMessage) async throws(NetworkError) {
        try await session.send(message)
    }

    /// Sends text, or keeps it.
    ///
    /// - Parameter text: Sent as a text message, in UTF-8.
    public func send(_ text: String) async throws(NetworkError) {
        try await session.send(.text(text))
    }

    /// The next message of whatever connection.
    ///
    /// Throws once the socket is over: what ended it, or `.socketClosed` with 1000 after ``close(_:reason:)``. Cancelling
    /// the task ends only this wait.
    public func receive() async throws(NetworkError) -> WebSocketMessage {
        try await session.inbox.take()
    }

    /// The messages of all connections. The loop ends after ``close(_:reason:)`` or a server's close with 1000.
    public var messages: WebSocketMessages {
        WebSocketMessages(from: { () throws(NetworkError) in try await self.receive() }) { $0 == .normalClosure }
    }

    /// Says goodbye and stays closed.
    ///
    /// - Parameters:
    ///   - code: Why.
    ///   - reason: Why, in words; at most 123 bytes of UTF-8 are sent.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        await session.close(CloseContent(code, reason: reason))
    }
}

/// How a ``ReconnectingWebSocket`` comes back.
public struct ReconnectOptions: Sendable {
    /// What becomes of messages that are sent while there is no connection, once too many wait.
    public enum Overflow: Sendable, Hashable {
        /// The oldest makes room. One that is being sent waits no longer, and is not dropped.
        case dropOldest
        /// The new one is dropped.
        case dropNewest
        /// `send` throws `.transport(.cannotSendBody)`.
        case fail
    }

    /// The pauses between attempts; by default from half a second to 30 seconds, drawn by chance.
    public var backoff = Backoff()

    /// A connection that lasted this long counts as a success, and pauses begin small again. Ten seconds by default.
    public var settledAfter: Duration = .seconds(10)

    /// How many messages wait for the next connection. 100 by default; 0 keeps none.
    public var outgoingLimit = 100

    /// What happens when one more comes. `.fail` by default, as nothing is lost unnoticed then.
    public var overflow = Overflow.fail

    /// Which ends are worth another attempt; by default ``NetworkError/isRetryable``: broken connections, time-outs,
    /// servers that went away or are overloaded. Not a clean close with 1000, nor a refusal such as 403.
    public var reconnects: @Sendable (NetworkError) -> Bool = { $0.isRetryable }

    /// Called with each new connection before anything else is sent on it: to subscribe again. What it throws counts
    /// as a failed attempt.
    public var onConnect: @Sendable (WebSocket) async throws -> Void = { _ in }

    /// What pauses are measured by. Tests put a clock here that they wind by hand.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Where chance comes from.
    public var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Makes the defaults.
    public init() {}
}
