package import GodwitCore
import Synchronization

/// One request and its response, from the caller's `send` to the end.
///
/// Delegate callbacks are serial; the caller, the reader of a stream and the deadline are concurrent. All state is
/// behind one lock. The first to end the exchange determines its outcome.
package final class Exchange: Sendable {
    package typealias Outcome = Result<HTTPResponse, NetworkError>
    package typealias Caller = UnsafeContinuation<Outcome, Never>

    struct State: Sendable {
        /// The suspended caller, until it is resumed.
        var caller: Caller?
        /// The outcome if the exchange ended before the caller was suspended.
        var early: Outcome?
        var isOver = false
        /// Whether URLSession has finished the task.
        var hasCompleted = false

        var task: SessionTask?
        var content = UploadContent.none
        var work: [Task<Void, Never>] = []
        var deadlines: Deadlines
        var sent: Int64 = 0
        var hasOpenedContent = false
        var lengthToSend: Int64?

        var head: HTTPResponseHead?
        var plainLength: Int64?
        var isDecoded = false
        var declaredLength: Int64?
        var sink = ResponseSink.none
        var buffer = Data()
        var received: Int64 = 0
        var firstByte: Duration?
        var isHeld = false
        /// Whether the reader asked for more since it received the last chunk.
        var hasDemand = false
        /// The system's metrics.
        var metrics: TransferMetrics?
        /// The caller's socket after a switch of protocols.
        weak var socket: SocketMessages?
    }

    let request: HTTPRequest
    let urlRequest: URLRequest
    let options: RequestOptions
    let streamBuffer: Int
    let limits: BodyLimits
    let state: Mutex<State>

    package init(_ request: HTTPRequest, _ urlRequest: URLRequest, streamBuffer: Int) {
        self.request = request
        self.urlRequest = urlRequest
        self.streamBuffer = streamBuffer
        options = request.options
        limits = BodyLimits(for: request)
        state = Mutex(State(deadlines: Deadlines(request.options.timeouts, at: .now)))
    }

    // MARK: Starting

    /// Registers the caller and starts the timeouts.
    package func start(_ caller: Caller) {
        let early = state.withLock { state in
            if !state.isOver { state.caller = caller }
            return state.early.take()
        }
        if let early { return caller.resume(returning: early) }
        add(Task { [self] in await watch() })
    }

    /// Whether the exchange hasn't ended.
    var isOpen: Bool { !state.withLock(\.isOver) }

    /// Performs work needed before the task is created. Canceled with the exchange.
    func prepare(_ work: @escaping @Sendable () async -> Void) {
        add(Task { await work() })
    }

    /// Starts the task. If the exchange has already ended, cancels the task instead and returns false: URLSession may
    /// then never report about the task, so nothing should wait for it.
    package func attach(_ task: SessionTask, _ content: UploadContent) -> Bool {
        let length = request.body?.length
        let isOver = state.withLock { state in
            state.lengthToSend = length
            state.content = content
            if !state.isOver { state.task = task }
            return state.isOver
        }
        isOver ? stop(task) : task.start()
        return !isOver
    }

    /// The body to send, from its start. URLSession asks again when it repeats the request: a single-pass body then
    /// ends the exchange, and this returns `nil`.
    package func openContent() -> HTTPBody? {
        guard let body = request.body else { return nil }
        let mayRead = state.withLock { state in
            defer {
                state.hasOpenedContent = true
                state.sent = 0
            }
            return !state.hasOpenedContent || body.isReplayable
        }
        if mayRead { return body }
        fail(.transport(.cannotSendBody("it must be sent again, but its stream can be read only once")), .sending)
        return nil
    }

    private func add(_ work: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.work.append(work) }
            return state.isOver
        }
        if isOver { work.cancel() }
    }

    private func watch() async {
        while let next = state.withLock({ $0.isOver ? nil : $0.deadlines.next(after: .now) }) {
            guard (try? await Task.sleep(until: next, clock: .suspending)) != nil else { return }
            guard let stage = state.withLock({ $0.deadlines.expired(at: .now) }) else { continue }
            fail(.timedOut(stage))
        }
    }

    // MARK: The end

    /// The caller was canceled, or the transport shuts down.
    package func cancel() {
        if let socket = state.withLock(\.socket) { return socket.cancel() }
        fail(.cancelled)
    }

    /// Ends the exchange with an error, unless it has ended.
    func fail(_ kind: NetworkError.Kind, _ phase: NetworkError.Phase? = nil, underlying: (any Error)? = nil) {
        end { [request] state in
            NetworkError(
                kind, phase: phase ?? SessionFailure.phase(of: kind, isAnswered: state.head != nil), request: request,
                response: state.head, underlying: underlying)
        }
    }

    /// URLSession finished the task.
    ///
    /// - Parameter response: The response. On Linux, redirects are reported only here.
    package func complete(_ error: (any Error)?, response: URLResponse?) {
        let (content, socket) = state.withLock { state in
            state.hasCompleted = true
            return (state.content, state.socket)
        }
        content.discard()
        if let socket { return socket.complete(error) }
        if options.upgrade != nil, let response, refuse(response) { return }
        if let error {
            fail(SessionFailure.kind(of: error, host: request.url.host), underlying: error)
        } else {
            if let response, state.withLock({ $0.head == nil }) { _ = receive(response) }
            end { [request] state in
                guard state.head == nil else { return nil }
                return NetworkError(
                    .transport(.connectionLost("it ended without a response")), phase: .receiving, request: request)
            }
        }
    }

    /// Ends the exchange, unless it has ended.
    func end(_ failure: (State) -> NetworkError?) {
        let ending = state.withLock { state -> Ending? in
            guard !state.isOver else { return nil }
            return close(&state, failure(state))
        }
        guard let ending else { return }
        for work in ending.work { work.cancel() }
        if let task = ending.task { stop(task) }
        options.onEvent?(.finished(ending.metrics))
        if case .stream(let channel) = ending.sink { channel.finish(ending.failure) }
        ending.caller?.resume(returning: ending.outcome)
    }

    /// The effects of the end, performed after the lock is released.
    private struct Ending {
        var caller: Caller?
        var outcome: Outcome
        var failure: NetworkError?
        var sink: ResponseSink
        var task: SessionTask?
        var work: [Task<Void, Never>]
        var metrics: TransferMetrics
    }

    private func close(_ state: inout State, _ failure: NetworkError?) -> Ending {
        let metrics = measured(state)
        let outcome: Outcome = failure.map { .failure($0) } ?? .success(response(state, body(state), metrics))
        let ending = Ending(
            caller: state.caller.take(), outcome: outcome, failure: failure, sink: state.sink,
            task: state.hasCompleted ? nil : state.task, work: state.work, metrics: metrics)
        state.isOver = true
        // After a stream was returned, no caller will ask for the outcome.
        if ending.caller == nil, state.head == nil { state.early = outcome }
        state.sink = .none
        state.buffer = Data()
        state.work = []
        // A task retains its session, and the body of a response retains this exchange.
        state.task = nil
        return ending
    }

    private func stop(_ task: SessionTask) {
        task.cancel { [self] in state.withLock(\.hasCompleted) }
    }

    private func body(_ state: State) -> HTTPBody {
        switch state.sink {
        case .buffer: .bytes(state.buffer)
        case .file(_, let url): .regularFile(at: url)
        case .none, .stream: .empty
        }
    }

    func response(_ state: State, _ body: HTTPBody, _ metrics: TransferMetrics) -> HTTPResponse {
        HTTPResponse(
            head: state.head ?? HTTPResponseHead(status: .ok), body: body, metrics: metrics, request: request)
    }

    // MARK: Metrics

    /// Receives the system's metrics, before the end.
    func note(_ metrics: TransferMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func measured(_ state: State) -> TransferMetrics {
        if let metrics = state.metrics { return metrics }
        var metrics = TransferMetrics()
        metrics.firstByte = state.firstByte
        metrics.total = state.deadlines.start.duration(to: .now)
        metrics.bytesSent = state.sent
        // The encoded bytes aren't visible; at the end, the declared length has arrived.
        metrics.bytesReceived = state.isDecoded ? state.declaredLength ?? 0 : state.received
        return metrics
    }
}
