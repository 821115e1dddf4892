/// Makes a handshake's request, and the socket from its response.
struct WebSocketOpening: Sendable {
    private let options: WebSocketOptions
    private let deflate: DeflateParameters?

    init(_ options: WebSocketOptions) {
        self.options = options
        deflate = options.compression?.parameters
    }

    /// Makes a request one for a WebSocket. The transport asks for a new key at each attempt.
    func request(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        var upgrade = ProtocolUpgrade(to: "websocket") { [options, deflate] in
            var random = RandomBits(options.randomness)
            return WebSocketHandshake.fields(
                key: WebSocketHandshake.key(using: &random), subprotocols: options.subprotocols, deflate: deflate)
        }
        upgrade.messageLimit = options.messageLimit
        request.options.upgrade = upgrade
        request.options.acceptedStatuses.insert(101)
        request.options.cachePolicy = .reloadIgnoringCache
        // Streamed requests are never coalesced, so no other request shares the connection.
        request.delivery = .streamed
        return request
    }

    /// The socket that a 101 opens.
    func socket(_ response: HTTPResponse) throws(NetworkError) -> WebSocket {
        let head = response.head
        var options = options
        options.trace = response.request.options[TrafficTrace.self]
        options.secrets = SentSecrets(response.request)
        var close = {}
        do throws(WebSocketFault) {
            if let messages = response.messages {
                close = { messages.abandon(.protocolError) }
                let agreement = try WebSocketHandshake.agreement(head.fields, subprotocols: options.subprotocols)
                return WebSocket(messages, options, agreement, head)
            }
            if let connection = response.connection {
                close = { connection.close() }
                let agreement = try WebSocketHandshake.agreement(
                    head.fields, to: response.request.fields, subprotocols: options.subprotocols, deflate: deflate)
                return WebSocket(.client, connection, options, agreement, head)
            }
        } catch {
            close()
            throw self.error(error.reason, response)
        }
        throw error("the transport has no connection for a WebSocket", response)
    }

    private func error(_ reason: String, _ response: HTTPResponse) -> NetworkError {
        NetworkError(
            .invalidResponse(reason: reason), phase: .validating, request: response.request, response: response.head)
    }
}
