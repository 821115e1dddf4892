/// Messages in both directions over a WebSocket that the transport frames itself, as a system does that hands out messages
/// and keeps the bytes.
///
/// A transport that has the bytes gives a ``DuplexConnection`` instead, and Godwit frames the messages. Either way the
/// rest is Godwit's: what waits for a reader, pings now and then, time-outs, and which of several ends counts.
///
/// Letting go of it before ``start(_:)`` closes it.
public protocol MessageConnection: Sendable {
    /// Begins to hand what arrives to a receiver, which is kept until the end. Called once.
    func start(_ receiver: any MessageReceiver)

    /// Goes on after the receiver asked to wait.
    func resumeReading()

    /// Sends a message behind those that were given before. After ``close(_:reason:)`` it fails.
    ///
    /// - Parameter completion: Called once, on any thread: with nil after the message was handed to the system, or with
    ///   what went wrong, which may be at once.
    func send(_ message: WebSocketMessage, completion: @escaping @Sendable (NetworkError?) -> Void)

    /// Sends a ping; its pong comes as ``MessageReceiver/receivePong(_:)`` with the same number.
    func ping(_ id: UInt64)

    /// Sends a close frame, the last thing that is sent. What the peer still says arrives until the end.
    ///
    /// - Parameters:
    ///   - code: One that may not be sent is left out of the frame.
    ///   - reason: At most 123 bytes of UTF-8; more is cut.
    func close(_ code: WebSocketCloseCode, reason: String)

    /// Ends the connection at once, and lets go of the receiver. Calling it again does no harm.
    ///
    /// - Parameter code: What a close frame says before; nil for none, or where one was sent already.
    func abandon(_ code: WebSocketCloseCode?)
}

/// What takes what a ``MessageConnection`` gets. Called on any thread, one call at a time: return quickly.
public protocol MessageReceiver: AnyObject, Sendable {
    /// Takes a message; false for no more until ``MessageConnection/resumeReading()``.
    func receive(_ message: WebSocketMessage) -> Bool

    /// Something came that is no whole message: the peer is there.
    func receiveActivity()

    /// The answer to a ping came.
    func receivePong(_ id: UInt64)

    /// The peer's close frame came, after all messages; the transport answers it.
    ///
    /// - Parameter code: ``WebSocketCloseCode/noStatus`` where the frame named none.
    func receiveClose(_ code: WebSocketCloseCode, reason: String)

    /// The peer broke the rules, after all messages that came. The connection stays open until the receiver abandons it, so that
    /// these can still be answered.
    func receiveFault(_ error: NetworkError)

    /// No more will come: the connection is closed, or with an error, it broke. The last call.
    func receiveEnd(_ error: NetworkError?)
}

extension MessageReceiver {
    /// Takes it as the end.
    public func receiveFault(_ error: NetworkError) { receiveEnd(error) }
}
