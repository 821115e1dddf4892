#if canImport(CNGHTTP2)
import CNGHTTP2
import GodwitCore
import GodwitSupport
import Synchronization

/// One request of an HTTP/2 connection, and the task that answers it.
final class HTTP2Exchange: Sendable {
    private struct State: Sendable {
        var request: MockRequest
        /// Whether the request's body is neither complete nor given up.
        var isReceiving = true
        var task: Task<Void, Never>?
        /// Takes the body at its rate; each waits for the one before it.
        var pace: Task<Void, Never>?
        var isClosed = false
    }

    let head: HTTP1RequestHead
    let isTooLarge: Bool
    let stream: Int32
    let connection: HTTP2Connection
    let route: Route?
    let output = HTTP2Output()
    private let record: Int
    private let state: Mutex<State>

    var service: ServerService { connection.service }
    private var reading: BodyReading { route?.bodyReading ?? .whole }

    init(_ head: HTTP1RequestHead, isTooLarge: Bool, _ stream: Int32, on connection: HTTP2Connection) {
        self.head = head
        self.isTooLarge = isTooLarge
        self.stream = stream
        self.connection = connection
        var request = MockRequest(
            method: head.method, target: head.target, fields: head.fields, connection: connection.number,
            tls: connection.socket.tls, version: .http2)
        route = isTooLarge ? nil : connection.service.routes.table.take(&request)
        record = connection.service.recorder.add(request)
        state = Mutex(State(request: request))
    }

    /// The request as far as it has been received.
    var request: MockRequest { state.withLock { $0.request } }

    /// Answers now if the route doesn't wait for the body.
    func start() {
        let interim = reading == .early ? [] : interim
        if !interim.isEmpty {
            connection.use { session in for head in interim { session.sendInterim(head, on: stream) } }
        }
        if reading == .early || isTooLarge { answer() }
    }

    /// What precedes the body: the route's own, and the 100 that a client waits for (RFC 9110 section 10.1.1).
    private var interim: [HTTPResponseHead] {
        let own = request.intake?.interim ?? []
        guard head.expectsContinue, let go = HTTPStatus(100) else { return own }
        return own + [HTTPResponseHead(status: go)]
    }

    // MARK: The body

    func receive(_ bytes: Data) {
        let (ending, count) = state.withLock { state -> (MockResponse.Ending?, Int64) in
            state.request.bodyByteCount += Int64(bytes.count)
            if let intake = state.request.intake { return (intake.receive(bytes), state.request.bodyByteCount) }
            let room = max(0, service.options.bodyLimit - state.request.body.count)
            state.request.body.append(bytes.prefix(room))
            return (nil, state.request.bodyByteCount)
        }
        service.recorder.progress(record, to: count)
        switch ending {
        case .close: return connection.close(.closed)
        case .reset: return connection.use { $0.reset(stream, NGHTTP2_INTERNAL_ERROR) }
        case nil: break
        }
        switch reading {
        case .whole: consume(bytes.count)
        case .paced(let bytesPerSecond): pace(bytes.count, bytesPerSecond)
        // The window stays closed.
        case .early: break
        }
    }

    func receiveEnd(_ trailers: HTTPFields) {
        finishRequest { request in
            request.trailers = trailers
            request.arrival = .complete
        }
        if reading != .early, !isTooLarge { answer() }
    }

    /// The stream is over: with the response, or before it.
    func streamClosed() {
        finishRequest { $0.arrival = .aborted }
        output.close()
        let task = state.withLock { state in
            state.isClosed = true
            return (state.task, state.pace)
        }
        task.0?.cancel()
        task.1?.cancel()
    }

    private func finishRequest(_ change: (inout MockRequest) -> Void) {
        let finished = state.withLock { state -> MockRequest? in
            guard state.isReceiving else { return nil }
            state.isReceiving = false
            change(&state.request)
            return state.request
        }
        if let finished { service.recorder.finish(record, as: finished) }
    }

    private func consume(_ count: Int) {
        connection.use { $0.consume(count, of: stream) }
    }

    private func pace(_ count: Int, _ bytesPerSecond: Int) {
        state.withLock { state in
            let before = state.pace
            let clock = service.options.clock
            state.pace = Task { [self] in
                await before?.value
                do { try await clock.sleep(for: .seconds(1) * count / bytesPerSecond) } catch { return }
                consume(count)
            }
        }
    }

    // MARK: The response

    private func answer() {
        let task = Task { [self] in
            await state.withLock { $0.pace }?.value
            await HTTP2Answer(exchange: self).run()
        }
        let isClosed = state.withLock { state in
            state.task = task
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }
}
#endif
