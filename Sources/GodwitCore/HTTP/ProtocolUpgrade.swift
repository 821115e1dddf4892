/// The wish to leave HTTP behind on a connection of its own (RFC 9110 section 7.8), as a request carries it through the
/// middlewares to the transport.
///
/// A transport that can, sends the request over HTTP/1.1 with `Connection: Upgrade`. Where the server answers 101, the
/// response holds the connection, ``HTTPResponse/connection``; any other answer is returned as usual. A transport
/// that cannot, sends the request as if nothing was wished for: the missing connection tells.
///
/// A transport whose system speaks WebSocket leaves the handshake to it, and returns ``HTTPResponse/messages``. Of
/// ``fields`` it takes the offer of subprotocols alone.
public struct ProtocolUpgrade: Sendable {
    /// The protocol's name in the `Upgrade` field, such as `websocket`.
    public var name: String

    /// Fields that no two connections may share, such as a handshake's key: the transport asks for them for each
    /// attempt, and the response's request shows them.
    public var fields: @Sendable () -> HTTPFields

    /// The most bytes a received message may have, for a transport that frames messages itself.
    public var messageLimit = Int.max

    /// Makes the wish.
    ///
    /// - Parameters:
    ///   - name: The protocol, such as `websocket`.
    ///   - fields: Makes the fields of the handshake, anew for each attempt.
    public init(to name: String, fields: @escaping @Sendable () -> HTTPFields = { [:] }) {
        self.name = name
        self.fields = fields
    }
}

/// Bytes in both directions, over whatever a transport connects by: what is left of an exchange that switched protocols.
///
/// Letting go of it before ``start(_:)`` closes it.
public protocol DuplexConnection: Sendable {
    /// Begins to hand what arrives to a receiver, which is kept until the end. Called once.
    func start(_ receiver: any DuplexReceiver)

    /// Goes on after the receiver asked to wait.
    func resumeReading()

    /// Sends bytes behind those that were given before.
    ///
    /// - Parameter completion: Called once, on any thread: with nil after the bytes were handed to the system, and then
    ///   never before this returns; or with what went wrong, which may be at once.
    func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void)

    /// Closes the connection at once. Bytes that the system has are still sent; calling it again does no harm.
    func close()
}

/// What takes the bytes of a ``DuplexConnection``. Called on the transport's thread, one call at a time: return quickly.
public protocol DuplexReceiver: AnyObject, Sendable {
    /// Takes bytes, which are gone when this returns; false for no more until ``DuplexConnection/resumeReading()``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// No more will come: the peer closed its side, or with an error, the connection broke. The last call.
    func receiveEnd(_ error: NetworkError?)
}

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
