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
