/// A handshake on its way: what is asked, and what to make of the answer.
struct WebSocketOpening: Sendable {
    private let options: WebSocketOptions
    private let deflate: DeflateParameters?

    init(_ options: WebSocketOptions) {
        self.options = options
        deflate = options.compression?.parameters
    }

    /// The request as one for a WebSocket. Its key is drawn for each attempt, when the transport asks.
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
        // Nobody shares a connection: a streamed request is coalesced with no other.
        request.delivery = .streamed
        return request
    }

    /// The socket that a 101 opens.
    func socket(_ response: HTTPResponse) throws(NetworkError) -> WebSocket {
        do throws(WebSocketFault) {
            if let messages = response.messages { return try socket(over: messages, response.head) }
            if let connection = response.connection { return try socket(over: connection, response) }
        } catch {
            throw self.error(.invalidResponse(reason: error.reason), response)
        }
        throw error(.invalidResponse(reason: "the transport has no connection for a WebSocket"), response)
    }

    private func socket(
        over connection: any DuplexConnection, _ response: HTTPResponse
    ) throws(WebSocketFault) -> WebSocket {
        do throws(WebSocketFault) {
            let agreement = try WebSocketHandshake.agreement(
                response.head.fields, to: response.request.fields, subprotocols: options.subprotocols, deflate: deflate)
            return WebSocket(.client, connection, options, agreement, response.head)
        } catch {
            connection.close()
            throw error
        }
    }

    private func socket(
        over connection: any MessageConnection, _ head: HTTPResponseHead
    ) throws(WebSocketFault) -> WebSocket {
        do throws(WebSocketFault) {
            let agreement = try WebSocketHandshake.agreement(head.fields, subprotocols: options.subprotocols)
            return WebSocket(connection, options, agreement, head)
        } catch {
            connection.abandon(.protocolError)
            throw error
        }
    }

    private func error(_ kind: NetworkError.Kind, _ response: HTTPResponse) -> NetworkError {
        NetworkError(kind, phase: .validating, request: response.request, response: response.head)
    }
}
