import GodwitCore

/// The work of one exchange that becomes a WebSocket: answers the handshake, and lets the route's closure talk.
struct MockTalk: Sendable {
    let exchange: MockExchange
    let route: WebSocketRoute
    let clock: any Clock<Duration>

    /// Runs until the connection is over. Cancelled, it ends the connection.
    func run(_ received: MockRequest) async throws {
        let answer: WebSocketHandshake.Answer
        do throws(WebSocketFault) {
            answer = try route.answer(to: received)
        } catch {
            let refusal = MockResponse.text(error.reason + "\n", status: .badRequest)
            return try await MockDelivery(exchange: exchange, response: refusal, clock: clock, bytesSent: 0).run()
        }
        let connection = connect(HTTPResponseHead(status: .switchingProtocols, fields: answer.fields), received)
        let socket = route.socket(received, answer, over: connection, clock: clock)
        let talk = Task { await route.talk(socket) }
        await withTaskCancellationHandler {
            await connection.waitUntilOver()
        } onCancel: {
            connection.interrupt(resets: false)
        }
        talk.cancel()
    }

    /// Gives the caller its end of the connection, which nobody else holds, and returns the other.
    private func connect(_ head: HTTPResponseHead, _ received: MockRequest) -> MemoryDuplex {
        let (client, server) = MemoryDuplex.makePair()
        var request = exchange.request
        request.fields = received.fields
        var response = HTTPResponse(head: head, request: request)
        response.connection = client
        exchange.answer(.success(response))
        return server
    }
}
