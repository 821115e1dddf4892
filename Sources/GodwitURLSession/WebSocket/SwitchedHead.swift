package import GodwitCore

/// The head of the answer to a WebSocket's handshake.
package enum SwitchedHead {
    /// What the server answered, as far as the system tells: at least that it switched, and the subprotocol it chose.
    package static func head(_ response: URLResponse?, subprotocol: String?) -> HTTPResponseHead {
        var head = response.flatMap(ResponseConversion.head) ?? HTTPResponseHead(status: .switchingProtocols)
        head.status = .switchingProtocols
        if let subprotocol, !subprotocol.isEmpty { head.fields[.secWebSocketProtocol] = subprotocol }
        return head
    }
}
