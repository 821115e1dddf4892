import GodwitSupport

/// The opening handshake (RFC 6455 section 4): the client's request, the server's response, and their validation.
package enum WebSocketHandshake {
    /// The negotiated options.
    package struct Agreement: Sendable, Hashable {
        package var subprotocol: String?
        package var deflate: DeflateParameters?

        package init(subprotocol: String? = nil, deflate: DeflateParameters? = nil) {
            self.subprotocol = subprotocol
            self.deflate = deflate
        }
    }

    /// A random key: 16 bytes in base64.
    package static func key(using generator: inout some RandomNumberGenerator) -> String {
        var bytes = Data()
        for _ in 0..<2 { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return bytes.base64EncodedString()
    }

    /// The server's `Sec-WebSocket-Accept` for a key (section 4.2.2).
    package static func accept(for key: String) -> String {
        Data(SHA1.digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
    }

    /// The fields a client adds to its request. The transport writes `Connection` and `Upgrade`.
    package static func fields(
        key: String, subprotocols: [String], deflate: DeflateParameters?
    ) -> HTTPFields {
        var fields: HTTPFields = [.secWebSocketKey: key, .secWebSocketVersion: "13"]
        if !subprotocols.isEmpty { fields[.secWebSocketProtocol] = subprotocols.joined(separator: ", ") }
        if let deflate { fields[.secWebSocketExtensions] = deflate.offer }
        return fields
    }

    /// Validates a 101 response (section 4.1). Throws if it doesn't match this handshake or has an option that wasn't
    /// offered.
    package static func agreement(
        _ answer: HTTPFields, to request: HTTPFields, subprotocols: [String], deflate: DeflateParameters?
    ) throws(WebSocketFault) -> Agreement {
        guard answer[.upgrade]?.equalsIgnoringASCIICase("websocket") == true else {
            throw .violation("the server did not switch to websocket")
        }
        guard answer[.connection]?.lowercasedWords.contains("upgrade") == true else {
            throw .violation("the Connection field of the response does not contain upgrade")
        }
        guard let key = request[.secWebSocketKey], answer.values(of: .secWebSocketAccept) == [accept(for: key)] else {
            throw .violation("Sec-WebSocket-Accept does not match the key of the request")
        }
        return Agreement(
            subprotocol: try subprotocol(answer, subprotocols), deflate: try compression(answer, deflate))
    }

    /// Validates the response to a handshake that the system performed, except for what the caller offered.
    package static func agreement(
        _ answer: HTTPFields, subprotocols: [String]
    ) throws(WebSocketFault) -> Agreement {
        let extensions = WebSocketExtension.list(answer.values(of: .secWebSocketExtensions)) ?? []
        let isCompressed = extensions.contains { $0.name == DeflateParameters.token }
        return Agreement(
            subprotocol: try subprotocol(answer, subprotocols), deflate: isCompressed ? DeflateParameters() : nil)
    }

    private static func subprotocol(
        _ answer: HTTPFields, _ offered: [String]
    ) throws(WebSocketFault) -> String? {
        let chosen = answer.values(of: .secWebSocketProtocol)
        guard let first = chosen.first else { return nil }
        guard chosen.count == 1, offered.contains(first) else {
            throw .violation("the server chose a subprotocol that was not offered")
        }
        return first
    }

    private static func compression(
        _ answer: HTTPFields, _ offered: DeflateParameters?
    ) throws(WebSocketFault) -> DeflateParameters? {
        guard let extensions = WebSocketExtension.list(answer.values(of: .secWebSocketExtensions)) else {
            throw .violation("Sec-WebSocket-Extensions is malformed")
        }
        guard let first = extensions.first else { return nil }
        guard extensions.count == 1, first.name == DeflateParameters.token, let offered else {
            throw .violation("the server chose an extension that was not offered")
        }
        return try offered.agreed(to: first)
    }
}

extension HTTPField.Name {
    static let secWebSocketKey = Self(unchecked: "Sec-WebSocket-Key")
    static let secWebSocketVersion = Self(unchecked: "Sec-WebSocket-Version")
    static let secWebSocketAccept = Self(unchecked: "Sec-WebSocket-Accept")
    package static let secWebSocketProtocol = Self(unchecked: "Sec-WebSocket-Protocol")
    static let secWebSocketExtensions = Self(unchecked: "Sec-WebSocket-Extensions")
}

// The server's side of the opening handshake (RFC 6455 section 4.2).
extension WebSocketHandshake {
    /// The server's response.
    package struct Answer: Sendable, Hashable {
        /// The fields of the 101.
        package var fields: HTTPFields
        package var agreement: Agreement
    }

    /// The response to a client's request. Throws if the request isn't a valid handshake.
    ///
    /// - Parameters:
    ///   - subprotocols: The server's subprotocols; the first that the client offers is chosen.
    ///   - deflate: The server's compression parameters; `nil` means no compression.
    package static func answer(
        to request: HTTPFields, subprotocols: [String], deflate: DeflateParameters?
    ) throws(WebSocketFault) -> Answer {
        guard request[.upgrade]?.equalsIgnoringASCIICase("websocket") == true,
            request[.connection]?.lowercasedWords.contains("upgrade") == true
        else { throw .violation("the request does not ask for an upgrade to websocket") }
        guard request[.secWebSocketVersion] == "13" else { throw .violation("Sec-WebSocket-Version is not 13") }
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
