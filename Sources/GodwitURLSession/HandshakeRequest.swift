package import GodwitCore

/// What a request for a WebSocket has that others have not. The handshake itself is the system's.
package enum HandshakeRequest {
    /// Where a request goes: URLSession's tasks for WebSockets want URLs of their own schemes.
    package static func address(of request: HTTPRequest) -> String {
        let address = request.url.absoluteString
        guard request.options.upgrade != nil, address.hasPrefix("http") else { return address }
        return "ws" + address.dropFirst(4)
    }

    /// The subprotocols that are offered; nil for none.
    package static func offer(of request: HTTPRequest) -> String? {
        let offers = request.options.upgrade?.fields().values(of: .secWebSocketProtocol) ?? []
        return offers.isEmpty ? nil : offers.joined(separator: ", ")
    }
}
