import CGodwitCurl
import GodwitCore

/// One request and its response, from the caller's `send` to its end.
final class Exchange: @unchecked Sendable {
    // Proof: `request` and `options` never change. Everything else is written by the caller before the exchange is posted to its
    // event loop, and from then on touched on the loop's thread alone; the inbox's lock orders the two.

    typealias Continuation = UnsafeContinuation<Result<HTTPResponse, NetworkError>, Never>

    let request: HTTPRequest
    let options: RequestOptions
    /// The caller, until it is answered.
    private var continuation: Continuation?

    // What the engine keeps about it.
    private(set) var handle: EasyHandle?
    var slot = 0
    var isCancelled = false

    // Sending.
    var source: BodySource?
    private(set) var sendCount = 0

    // Receiving.
    var head: ResponseHead?
    var sink = BodySink.none
    var decoder: ContentDecoder?
    var encodedBytes: Int64 = 0
    var decodedBytes: Int64 = 0

    /// Why it failed, where we know better than libcurl's code.
    var failure: NetworkError?
    var metrics = TransferMetrics()
    private var timing: ExchangeTiming?

    init(_ request: HTTPRequest) {
        self.request = request
        options = request.options
    }

    /// Names the caller, before the exchange is posted.
    func willAnswer(_ continuation: Continuation) {
        self.continuation = continuation
    }

    /// Whether libcurl has it.
    var isActive: Bool { handle != nil }

    var engine: Engine? { handle?.engine }

    /// Where it stands, for errors.
    var phase: NetworkError.Phase {
        if head != nil { return .receiving }
        return sendCount > 0 ? .sending : .connecting
    }

    // MARK: Beginning and end

    /// Takes a handle and opens the content to be sent; false where that failed, for the reason in ``failure``.
    func begin(on handle: EasyHandle, at now: LoopTime) -> Bool {
        self.handle = handle
        timing = ExchangeTiming(handle.engine.limits(for: options.timeouts), at: now)
        do throws(NetworkError) {
            if let body = request.body {
                source = try BodySource(body) { [self, loop = handle.loop] in loop.post(.resumeSending(self)) }
            }
            return handle.prepare(for: self)
        } catch {
            failure = self.error(error.kind, .sending)
            return false
        }
    }

    /// Gives the handle back.
    func detach() {
        handle?.release()
        handle = nil
        source = nil
    }

    /// Reads what libcurl measured, while the handle still knows it.
    func recordMetrics() {
        guard let handle, let timing else { return }
        metrics = TransferMetrics(handle, received: encodedBytes)
        // libcurl's own are of the first byte in either direction, and of its last look at the clock. Ours are read once
        // per turn, so what happened in one turn may seem to have happened before its beginning.
        metrics.firstByte = timing.firstByte.map { max($0, metrics.requestSent ?? .zero) }
        metrics.total = max(timing.total(at: handle.engine.time), metrics.firstByte ?? metrics.requestSent ?? .zero)
    }

    /// libcurl is done: decides how it went.
    func conclude(with code: CURLcode) {
        guard failure == nil, let handle else { return }
        if code != CURLE_OK {
            failure = error(CurlFailure.kind(of: code, on: handle, isConnected: sendCount > 0))
        } else if let decoder, !decoder.isComplete {
            failure = error(.transport(.connectionLost("the compressed content was cut short")))
        }
    }

    /// Tells the caller how it went, once.
    func report() {
        guard failure == nil, let head = responseHead else {
            // libcurl takes a connection that closes inside the header for the end of a response.
            let failure = failure ?? error(.transport(.connectionLost("it ended inside the response's header")))
            return end(with: .failure(failure))
        }
        var body = HTTPBody.empty
        if case .buffer(var buffer) = sink {
            sink = .none
            body = .bytes(buffer.take())
        } else if case .file(_, let url) = sink {
            body = .file(at: url)
        }
        end(with: .success(response(head, body)))
    }

    /// Ends it with an error, unless it has ended.
    func fail(_ kind: NetworkError.Kind, phase: NetworkError.Phase) {
        failure = failure ?? error(kind, phase)
        report()
    }

    func error(_ kind: NetworkError.Kind, _ phase: NetworkError.Phase? = nil) -> NetworkError {
        NetworkError(
            kind, phase: phase ?? self.phase, request: request, response: responseHead)
    }

    /// Hands the response's head to the caller of a streamed exchange.
    func answer(with body: HTTPBody) {
        guard let responseHead else { return }
        recordMetrics()
        answer(with: .success(response(responseHead, body)))
    }

    private func end(with result: Result<HTTPResponse, NetworkError>) {
        options.onEvent?(.finished(metrics))
        if case .stream(let stream) = sink {
            stream.flush()
            if case .failure(let error) = result { stream.channel.finish(error) } else { stream.channel.finish() }
        }
        if case .buffer(var buffer) = sink { buffer.discard() }
        sink = .none
        answer(with: result)
    }

    private func answer(with result: Result<HTTPResponse, NetworkError>) {
        continuation.take()?.resume(returning: result)
    }

    private func response(_ head: HTTPResponseHead, _ body: HTTPBody) -> HTTPResponse {
        HTTPResponse(head: head, body: body, metrics: metrics, request: request)
    }

    private var responseHead: HTTPResponseHead? {
        guard let head else { return nil }
        var fields = head.fields
        if decoder != nil {
            fields.remove(.contentEncoding)
            fields.remove(.contentLength)
        }
        return HTTPResponseHead(status: head.status, fields: fields)
    }

    // MARK: Time

    /// When it has taken too long, should nothing happen before; nil for never.
    var deadline: LoopTime? { timing?.deadline }

    func expiredStage(at now: LoopTime) -> NetworkError.Stage {
        timing?.expiredStage(at: now) ?? .total
    }

    /// Whether it waits in libcurl's queue, and has for longer than making a connection may take.
    func hasQueuedTooLong(at now: LoopTime) -> Bool {
        timing?.hasQueuedTooLong(at: now) ?? false
    }

    /// libcurl looks up a name or opens a socket.
    func noteConnecting() {
        guard let engine else { return }
        timing?.connecting(at: engine.time)
        engine.note(deadline)
    }

    /// Bytes moved.
    func noteActivity() {
        guard let engine else { return }
        timing?.moved(at: engine.time)
    }

    /// The response has begun, or goes on.
    func noteHeaderLine() {
        guard let engine else { return }
        timing?.received(at: engine.time)
    }

    /// It waits for the caller's side, which may take its time.
    func noteWaiting() {
        timing?.suspended()
    }

    // MARK: Sending

    /// The request is about to go out on a connection; false to forbid it.
    func willSend() -> Bool {
        guard sendCount == 0 || isSafeToSendAgain else {
            failure = error(
                .transport(
                    .connectionLost(
                        "the server closed a kept connection, and sending a \(request.method) again could repeat its effect"
                    )))
            return false
        }
        sendCount += 1
        noteActivity()
        engine?.note(deadline)
        return true
    }

    private var isSafeToSendAgain: Bool {
        request.method.isIdempotent || request.fields.contains(.idempotencyKey)
    }

    /// The reader has caught up; whether that matters, as libcurl was told to pause.
    func wasDrained() -> Bool {
        guard case .stream(let stream) = sink else { return false }
        return stream.wasDrained()
    }

    /// Hands what has arrived to the reader.
    func flush() {
        guard case .stream(let stream) = sink else { return }
        stream.isFlushScheduled = false
        stream.flush()
    }
}
