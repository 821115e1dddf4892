/// A request to switch to another protocol on a separate connection (RFC 9110 section 7.8).
///
/// A transport that supports it sends the request over HTTP/1.1 with `Connection: Upgrade`. If the server answers 101,
/// the response holds the connection (`HTTPResponse.connection`); any other response is returned as usual. A
/// transport that doesn't support it sends the request without the upgrade: the response then has no connection.
///
/// A transport whose system implements WebSocket leaves the handshake to it and returns `HTTPResponse.messages`. It
/// uses only the offered subprotocols from ``fields``.
public struct ProtocolUpgrade: Sendable {
    /// The protocol's name in the `Upgrade` field, such as `websocket`.
    public var name: String

    /// Returns header fields that must be unique per connection, such as a handshake's key. The transport calls it for
    /// each attempt; the response's request contains the fields.
    public var fields: @Sendable () -> HTTPFields

    /// Maximum bytes of a received message, for transports that frame messages themselves.
    public var messageLimit = Int.max

    /// Creates an upgrade to a protocol, with the fields of its handshake.
    ///
    /// - Parameters:
    ///   - name: The protocol's name, such as `websocket`.
    ///   - fields: Returns the fields of the handshake. Runs for each attempt.
    public init(to name: String, fields: @escaping @Sendable () -> HTTPFields = { [:] }) {
        self.name = name
        self.fields = fields
    }
}

/// A bidirectional byte stream: the connection after an exchange that switched protocols.
///
/// Releasing it before ``start(_:)`` closes it.
@_spi(Engines)
public protocol DuplexConnection: Sendable {
    /// Starts passing received data to a receiver, which is retained until the end. Called once.
    func start(_ receiver: any DuplexReceiver)

    /// Resumes reading after the receiver asked for a pause.
    func resumeReading()

    /// Sends bytes after all earlier ones.
    ///
    /// - Parameter completion: Called once, on any thread, possibly before this method returns: with `nil` after the bytes
    ///   were passed to the system, or with an error.
    func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void)

    /// Closes the connection immediately. Bytes already passed to the system are still sent. Can be called repeatedly.
    func close()
}

/// Receives the bytes of a ``DuplexConnection``. Called on the transport's thread, one call at a time: return quickly.
@_spi(Engines)
public protocol DuplexReceiver: AnyObject, Sendable {
    /// Receives bytes, which are valid until it returns. Return `false` to pause until
    /// ``DuplexConnection/resumeReading()``. It is then called without bytes first, as it may have kept some, and may pause
    /// again.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Reports the end: the peer closed its side, or the connection failed with an error. The last call.
    func receiveEnd(_ error: NetworkError?)
}

/// A WebSocket that the transport frames itself, because its system provides messages but no bytes.
///
/// A transport with access to the bytes returns a ``DuplexConnection`` instead, and Godwit frames the messages. In both
/// cases, Godwit manages backpressure, pings, timeouts and closing.
///
/// Releasing it before ``start(_:)`` closes it.
@_spi(Engines)
public protocol MessageConnection: Sendable {
    /// Starts passing received data to a receiver, which is retained until the end. Called once.
    func start(_ receiver: any MessageReceiver)

    /// Resumes reading after the receiver asked for a pause.
    func resumeReading()

    /// Sends a message after all earlier ones. Fails after ``close(_:reason:)``.
    ///
    /// - Parameter completion: Called once, on any thread: with `nil` after the message was passed to the system, or
    ///   with an error, possibly before this method returns.
    func send(_ message: WebSocketMessage, completion: @escaping @Sendable (NetworkError?) -> Void)

    /// Sends a ping. ``MessageReceiver/receivePong(_:)`` reports its pong with the same number.
    func ping(_ id: UInt64)

    /// Sends a close frame. Nothing can be sent after it, but messages still arrive until the end.
    ///
    /// - Parameters:
    ///   - code: The status code. Omitted from the frame if it must not be sent.
    ///   - reason: At most 123 bytes of UTF-8; longer text is truncated.
    func close(_ code: WebSocketCloseCode, reason: String)

    /// Closes the connection immediately and releases the receiver. Can be called repeatedly.
    ///
    /// - Parameter code: The code of a close frame to send first. `nil` if none is to be sent or one was sent already.
    func abandon(_ code: WebSocketCloseCode?)
}

/// Receives the messages of a ``MessageConnection``. Called on any thread, one call at a time: return quickly.
@_spi(Engines)
public protocol MessageReceiver: AnyObject, Sendable {
    /// Receives a message. Return `false` to pause until ``MessageConnection/resumeReading()``.
    func receive(_ message: WebSocketMessage) -> Bool

    /// Reports data other than a whole message, as a sign that the peer is alive.
    func receiveActivity()

    /// Reports the pong to a ping.
    func receivePong(_ id: UInt64)

    /// Reports the peer's close frame, after all messages. The transport answers it.
    ///
    /// - Parameters:
    ///   - code: ``WebSocketCloseCode/noStatus`` if the frame has none.
    ///   - reason: The reason in the frame; can be empty.
    func receiveClose(_ code: WebSocketCloseCode, reason: String)

    /// Reports a protocol violation, after all earlier messages. The connection stays open until the receiver abandons
    /// it, so that those messages can still be answered.
    func receiveFault(_ error: NetworkError)

    /// Reports the end: the connection was closed, or failed with an error. The last call.
    func receiveEnd(_ error: NetworkError?)
}

@_spi(Engines)
extension MessageReceiver {
    /// Treats the violation as the end.
    public func receiveFault(_ error: NetworkError) { receiveEnd(error) }
}
