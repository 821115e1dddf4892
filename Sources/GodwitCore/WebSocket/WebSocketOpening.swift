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
        request.options.upgrade = ProtocolUpgrade(to: "websocket") { [options, deflate] in
            var random = RandomBits(options.randomness)
            return WebSocketHandshake.fields(
                key: WebSocketHandshake.key(using: &random), subprotocols: options.subprotocols, deflate: deflate)
        }
        request.options.acceptedStatuses.insert(101)
        request.options.cachePolicy = .reloadIgnoringCache
        // Nobody shares a connection: a streamed request is coalesced with no other.
        request.delivery = .streamed
        return request
    }

    /// The socket that an accepted answer opens.
    func socket(_ response: HTTPResponse) throws(NetworkError) -> WebSocket {
        guard response.head.status.code == 101, let connection = response.connection else {
            throw NetworkError(
                .unexpectedStatus(response.head.status.code), phase: .validating, request: response.request,
                response: response.head)
        }
        do throws(WebSocketFault) {
            let agreement = try WebSocketHandshake.agreement(
                response.head.fields, to: response.request.fields, subprotocols: options.subprotocols, deflate: deflate)
            return WebSocket(.client, connection, options, agreement, response.head)
        } catch {
            connection.close()
            throw NetworkError(
                .invalidResponse(reason: error.reason), phase: .validating, request: response.request,
                response: response.head)
        }
    }
}
