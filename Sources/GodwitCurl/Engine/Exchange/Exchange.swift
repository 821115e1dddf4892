import CGodwitCurl
import GodwitCore

/// One request and its response, from the caller's `send` to its end.
final class Exchange: @unchecked Sendable {
    // Proof: `request` and `options` never change. Everything else is written by the caller before the exchange is posted
    // to its event loop, which the inbox's lock orders; from then on touched on the loop's thread alone; and, once the
    // caller is resumed, what ``response()`` reads is left to the caller.

    typealias Continuation = UnsafeContinuation<Void, Never>

    let request: HTTPRequest
    private let sharedOptions: Shared<RequestOptions>
    var options: RequestOptions { sharedOptions.value }
    /// The caller, until it is resumed. It then reads the outcome with ``response()``.
    private var continuation: Continuation?
    /// What the caller of a streamed exchange gets while the rest is still to come.
    private var streamedResponse: HTTPResponse?

    // What the engine keeps about it.
    private(set) var handle: EasyHandle?
    /// Where it shall leave HTTP: its connection.
    var upgraded: UpgradedConnection?
    var slot = 0
    var isCancelled = false
    /// Whether it only makes a connection, which is kept.
    let isWarmUp: Bool
    /// Whether a connection that was warmed up speaks HTTP/2.
    var agreedOnHTTP2 = false
    /// Whether the system had no descriptor for its socket, and how often it was started again because of that.
    var lackedDescriptor = false
    /// Whether the system had no route to its host's address.
    private(set) var lackedRoute = false
    var restarts = 0
    /// Until when it waits to be started; nil if it does not wait.
    var wait: StartLimits?
    /// Whether it finds out if its origin can be reached, while others wait for that.
    var isProbe = false
    /// How often libcurl chose a connection for it that was ended, and whether it just did.
    var detours = 0
    var metEndedConnection = false

    // Sending.
    /// The file of its body, opened by the caller.
    var file: Result<FileReader, NetworkError>?
    var source: BodySource?
    /// Whether the engine has put it back at its beginning.
    var isStartingAnew = false
    /// Whether the server answered `Expect: 100-continue` with 417: it is to be sent again without.
    var expectationFailed = false
    var sendCount = 0
    var resending = Resending()
    /// What the kernel knew when the connection was closed that it was sent on last.
    var closing: ClosedConnection?
    /// Whether the server refused its HTTP/2 stream, and by which GOAWAY.
    var refusal: (isRefused: Bool, goAway: Resending.GoAway?) = (false, nil)
    /// Whether the server reset its HTTP/2 stream with NO_ERROR before it had ended it, and after.
    var (isCut, isAnsweredEarly) = (false, false)
    var uploadWatch = UploadWatch()
    /// Whether a sending that is certain not to be processed gets a connection of its own.
    var wantsOwnConnection = false

    // Receiving.
    var head: ResponseHead?
    private var trailers: HTTPFields = [:]
    var sink = BodySink.none
    var decoder: ContentDecoder?
    var encodedBytes: Int64 = 0
    var decodedBytes: Int64 = 0
    /// The end of the connection, if it is also the end of the body, and encrypted.
    var tlsEnd: TLSEnd?

    /// Why it failed, where we know better than libcurl's code.
    var failure: NetworkError?
    var metrics = TransferMetrics()
    var timing: ExchangeTiming?

    init(_ request: HTTPRequest, isWarmUp: Bool = false) {
        self.request = request
        self.isWarmUp = isWarmUp
        sharedOptions = request.sharedOptions
        file = BodySource.open(request.body)
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
            if let body = request.body { source = try openSource(body) }
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
        // Counted on this thread alone.
        tlsEnd = nil
    }

    /// Reads what libcurl measured, while the handle still knows it.
    func recordMetrics() {
        guard let handle, let timing else { return }
        var metrics = TransferMetrics(handle, received: encodedBytes)
        // libcurl's own are of the first byte in either direction, and of its last look at the clock. Ours are read once
        // per turn, so what happened in one turn may seem to have happened before its beginning.
        metrics.firstByte = timing.firstByte.map { max($0, metrics.requestSent ?? .zero) }
        metrics.total = max(timing.total(at: handle.engine.now), metrics.firstByte ?? metrics.requestSent ?? .zero)
        self.metrics = metrics
    }

    /// libcurl is done: decides how it went.
    func conclude(with code: CURLcode) {
        guard let handle else { return }
        if leavesConnectionBroken(code) { handle.engine.abandonConnection(of: handle) }
        guard failure == nil else { return }
        lackedRoute = code == CURLE_COULDNT_CONNECT && handle.lackedRoute
        if code == CURLE_OK, head != nil {
            guard handle.headLines.pointee.finish() else { return }
            trailers = handle.headParser.trailers
        }
        if code != CURLE_OK, !isWhole(despite: code) {
            failure = error(CurlFailure.kind(of: code, on: handle, isConnected: sendCount > 0))
        } else if isCut, head.map({ $0.contentLength != encodedBytes }) ?? true {
            failure = error(.transport(.connectionLost("the server reset the stream before it ended (NO_ERROR)")))
        } else if let tlsEnd, !tlsEnd.isNotified {
            let reason = "TLS ended without close_notify, so the response may be incomplete"
            failure = error(.transport(.connectionLost(reason)))
        } else if let decoder, !decoder.isComplete {
            failure = error(.transport(.connectionLost("the compressed content was cut short")))
        }
    }

    /// Whether libcurl 7.88 can't use a shared connection any more: it failed as a whole, or in the middle of a head.
    private func leavesConnectionBroken(_ code: CURLcode) -> Bool {
        if case .tooLarge? = failure?.kind, head == nil { return true }
        return failure == nil && !refusal.isRefused && (code == CURLE_RECV_ERROR || code == CURLE_HTTP2)
    }

    /// Whether the response is whole whatever libcurl says: the server ended it before it had the request's body, which
    /// libcurl 7.88 may take for a fault.
    private func isWhole(despite code: CURLcode) -> Bool {
        guard let head, !isCut else { return false }
        // Every other failure of a stream comes with words.
        guard isAnsweredEarly || code == CURLE_HTTP2_STREAM && handle?.errorMessage.isEmpty == true else {
            return false
        }
        return head.contentLength.map { $0 == encodedBytes } ?? true
    }

    /// It is over: hands the rest of a stream on, and leaves what ``response()`` will find.
    func settle() {
        if failure == nil && head == nil && !isWarmUp {
            // libcurl takes a connection that closes inside the header for the end of a response.
            failure = error(.transport(.connectionLost("it ended inside the response's header")))
        }
        options.onEvent?(.finished(metrics))
        guard case .stream(let stream) = sink else { return }
        _ = stream.flush()
        stream.channel.finish(failure, trailers: trailers)
        sink = .none
    }

    /// The caller to resume, unless it has been. Once it is, the loop leaves the outcome alone.
    func takeCaller() -> Continuation? {
        continuation.take()
    }

    /// What came of it: for the caller, once it is resumed. Made on the caller's thread, which is spared the loop's
    /// memory, and the loop the work.
    func response() throws(NetworkError) -> HTTPResponse {
        // Taken, not kept: letting go of an unread body ends its exchange.
        if let response = streamedResponse.take() { return response }
        guard failure == nil, let head = responseHead else {
            throw failure ?? error(.invalidResponse(reason: "there is none"))
        }
        switch sink {
        case .buffer(var buffer):
            sink = .none
            return response(head, .bytes(buffer.take()))
        case .file(_, let url):
            sink = .none
            return response(head, .file(at: url))
        case .stream, .none:
            return response(head, .empty)
        }
    }

    deinit {
        if case .buffer(var buffer) = sink { buffer.discard() }
    }

    /// Ends it with an error, unless it has ended.
    func fail(_ kind: NetworkError.Kind, phase: NetworkError.Phase) {
        failure = failure ?? error(kind, phase)
        settle()
        takeCaller()?.resume()
    }

    func error(_ kind: NetworkError.Kind, _ phase: NetworkError.Phase? = nil) -> NetworkError {
        NetworkError(
            kind, phase: phase ?? self.phase, request: request, response: responseHead)
    }

    /// Hands the response's head to the caller of a streamed exchange.
    func answer(with body: HTTPBody) {
        guard let responseHead else { return }
        recordMetrics()
        streamedResponse = response(responseHead, body)
        takeCaller()?.resume()
    }

    /// Hands over the connection of an exchange that switched protocols.
    func answer(with connection: CurlDuplex) {
        guard let responseHead else { return }
        options.onEvent?(.finished(metrics))
        sink = .none
        var switched = response(responseHead, .empty)
        switched.connection = connection
        streamedResponse = switched
        takeCaller()?.resume()
    }

    private func response(_ head: HTTPResponseHead, _ body: HTTPBody) -> HTTPResponse {
        var response = HTTPResponse(head: head, body: body, metrics: metrics, request: request)
        if !trailers.isEmpty { response.trailers = trailers }
        return response
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

    /// Whether bytes moved that libcurl or the kernel carry without a word: then it has not been inactive.
    func hasMovedUnseen(at now: LoopTime) -> Bool {
        guard let handle, let timing, timing.expiredStage(at: now) == .inactivity else { return false }
        let progress = handle.engine.progress(of: handle)
        if timing.isLooking, uploadWatch.hasMoved(progress) {
            self.timing?.moved(at: now)
        } else if let received = progress.received, received > timing.lastMovement {
            self.timing?.moved(at: received)
        }
        self.timing?.looked(at: now)
        return deadline.map { $0 > now } ?? true
    }

    /// Whether it waits in libcurl's queue, and has for longer than making a connection may take.
    func hasQueuedTooLong(at now: LoopTime) -> Bool {
        timing?.hasQueuedTooLong(at: now) ?? false
    }

    /// Whether it waits for the caller's side.
    var waitsForCaller: Bool { timing?.waitsForCaller ?? false }

    /// Whether it has no connection after longer than making one may take, wherever it waited.
    func hasWaitedTooLongToConnect(at now: LoopTime) -> Bool {
        timing?.hasWaitedTooLongToConnect(at: now) ?? false
    }

    /// How many milliseconds it has waited for the server; nil if it is not connected, or waits for the caller.
    func waited(at now: LoopTime) -> Int64? { timing?.waited(at: now) }

    /// libcurl looks up a name or opens a socket.
    func noteConnecting() {
        guard let engine else { return }
        timing?.connecting(at: engine.now)
        engine.note(deadline)
    }

    /// Bytes moved on one side of the caller's, or can again.
    func noteActivity(of party: ExchangeTiming.Party) {
        guard let engine else { return }
        let wasSuspended = timing?.isSuspended ?? false
        timing?.goesOn(after: party, at: engine.now)
        if wasSuspended { engine.note(deadline) }
    }

    /// The response has begun, or goes on.
    func noteHeaderLine() {
        guard let engine else { return }
        timing?.received(at: engine.now)
    }

    /// The response's header is complete.
    func noteAnswer() {
        let wasSuspended = timing?.isSuspended ?? false
        timing?.answered()
        if wasSuspended { engine?.note(deadline) }
    }

    /// It waits for the caller's side, which may take its time.
    func noteWaiting(for party: ExchangeTiming.Party) {
        timing?.waits(for: party)
    }

    // MARK: Receiving

    /// The reader has caught up; whether that matters, as libcurl was told to pause.
    func wasDrained() -> Bool {
        guard case .stream(let stream) = sink else { return false }
        return stream.wasDrained()
    }

    /// Hands what has arrived to the reader; whether libcurl, which was told to wait, may go on at once.
    func flush() -> Bool {
        guard case .stream(let stream) = sink else { return false }
        stream.isFlushScheduled = false
        return stream.flush()
    }
}
