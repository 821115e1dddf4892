// The server's side of the opening handshake (RFC 6455 section 4.2).
extension WebSocketHandshake {
    /// What a server answers.
    package struct Answer: Sendable, Hashable {
        /// The fields of the 101.
        package var fields: HTTPFields
        package var agreement: Agreement
    }

    /// The answer to a client's request; throws where the request is not such a handshake.
    ///
    /// - Parameters:
    ///   - subprotocols: What the server speaks; the first that the client offers is chosen.
    ///   - deflate: What the server wishes for compression, nil for none.
    package static func answer(
        to request: HTTPFields, subprotocols: [String], deflate: DeflateParameters?
    ) throws(WebSocketFault) -> Answer {
        guard request[.upgrade]?.equalsIgnoringASCIICase("websocket") == true,
            HTTPFields.tokens(request.values(of: .connection)).contains("upgrade")
        else { throw .violation("the request does not ask for an upgrade to websocket") }
        guard request[.secWebSocketVersion] == "13" else { throw .violation("the version of websocket is not 13") }
        guard let key = request[.secWebSocketKey], Data(base64Encoded: key)?.count == 16 else {
            throw .violation("Sec-WebSocket-Key is not 16 bytes in base64")
        }
        var answer = Answer(
            fields: [.upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: accept(for: key)],
            agreement: Agreement())
        let offered = request.values(of: .secWebSocketProtocol).joined(separator: ",").split { $0 == "," || $0 == " " }
        if let chosen = offered.map(String.init).first(where: subprotocols.contains) {
            answer.fields[.secWebSocketProtocol] = chosen
            answer.agreement.subprotocol = chosen
        }
        let extensions = WebSocketExtension.list(request.values(of: .secWebSocketExtensions)) ?? []
        if let deflate, let accepted = extensions.lazy.compactMap({ deflate.accepted(of: $0) }).first {
            answer.fields[.secWebSocketExtensions] = accepted.answer
            answer.agreement.deflate = accepted.parameters
        }
        return answer
    }
}
