@_spi(Engines) import GodwitCore

/// One exchange of a ``MockTransport``: a task that answers, and a caller that waits for the response.
final class MockExchange: Sendable {
    typealias Outcome = Result<HTTPResponse, NetworkError>

    private struct State: Sendable {
        var task: Task<Void, Never>?
        /// Cleared once the caller took it, so that the exchange does not retain the body.
        var outcome: Outcome?
        var isAnswered = false
        var isCancelled = false
    }

    let request: HTTPRequest
    private let state = Watched(State())

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Starts the task that answers. It may continue after the response, for a streamed body.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isCancelled = state.update { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Answers the caller. Only the first outcome counts.
    func answer(_ outcome: Outcome) {
        state.update { state in
            guard !state.isAnswered else { return }
            state.outcome = outcome
            state.isAnswered = true
        }
    }

    /// Cancels the task, and answers with `.cancelled` if the caller still waits.
    func cancel() {
        answer(.failure(Self.cancelled(request)))
        let task = state.update { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Waits for the outcome. Returns immediately if the calling task is canceled, even if the handler ignores cancellation.
    func outcome() async -> Outcome {
        do {
            try await state.wait { $0.isAnswered }
        } catch {
            cancel()
        }
        return state.update { $0.outcome.take() } ?? .failure(Self.cancelled(request))
    }

    private static func cancelled(_ request: HTTPRequest) -> NetworkError {
        NetworkError(.cancelled, phase: .receiving, request: request)
    }
}

/// Performs one exchange that becomes a WebSocket: the handshake, then the route's handler.
struct MockUpgrade: Sendable {
    let exchange: MockExchange
    let route: WebSocketRoute
    let clock: any Clock<Duration>

    /// Runs until the connection ends. Cancellation ends the connection.
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
        let handler = Task { await route.run(socket) }
        await withTaskCancellationHandler {
            await connection.waitUntilOver()
        } onCancel: {
            connection.interrupt(resets: false)
        }
        handler.cancel()
    }

    /// Gives the caller its end of the connection, and returns the server's end.
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
