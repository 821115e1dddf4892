#if os(Linux)
import CGodwitCurl
@_spi(Engines) import GodwitCore
import GodwitSockets

/// One request and its response, from the caller's `send` to its end: carries out what ``ExchangeState`` and
/// ``Reception`` decide.
final class Exchange: @unchecked Sendable {
    // Proof: `request` and `options` never change. Everything else is written by the caller before the exchange is given
    // to its event loop, which a lock orders; from then on touched by the thread that has the engine's turn; and, once the
    // caller is resumed, what ``response()`` reads is left to the caller.

    typealias Continuation = UnsafeContinuation<Void, Never>

    let request: HTTPRequest
    let options: RequestOptions
    /// The caller, until it is resumed. It then reads the outcome with ``response()``.
    @exclusivity(unchecked) private var continuation: Continuation?
    /// What the caller of a streamed exchange gets while the rest is still to come.
    private var streamedResponse: HTTPResponse?

    @exclusivity(unchecked) var state = ExchangeState()
    @exclusivity(unchecked) private(set) var handle: EasyHandle?
    /// How it gets its HTTP version.
    var route = VersionRoute.configured
    /// Why it doesn't use HTTP/3, which is configured.
    var http3Fallback: String?
    /// Whether the open HTTP/3 connections could not take it.
    var lacksOpenHTTP3 = false
    /// Its place among the engine's active exchanges.
    var slot = 0
    /// Whether it only makes a connection, which is kept.
    let isWarmUp: Bool
    /// Whether a connection that was warmed up uses HTTP/2.
    var agreedOnHTTP2 = false
    /// What nghttp2 knows its HTTP/2 stream by, if that isn't the handle. Compared, never read.
    var stream: UnsafeRawPointer?
    /// Whether trailer fields follow its request's body, which libcurl sends over HTTP/1.1 alone (decision 109).
    var sendsTrailers: Bool { request.body?.trailerNames != nil }
    /// Whether it leaves HTTP, and takes its connection with it.
    var isUpgrade: Bool { options.upgrade != nil }

    /// The file of its body, opened by the caller.
    var file: Result<FileReader, NetworkError>?
    var source: BodySource?
    @exclusivity(unchecked) var reception: Reception
    @exclusivity(unchecked) var sink = BodySink.none
    @exclusivity(unchecked) var flow = BodyFlow()

    /// Why it failed, if that is known better than by libcurl's code.
    var failure: NetworkError?
    /// Whether the system had no route to its host's address.
    private(set) var lackedRoute = false
    @exclusivity(unchecked) private(set) var metrics = TransferMetrics()
    /// How many connections its origin had with the one that was made for it; nil if none was.
    var openConnections: Int?
    @exclusivity(unchecked) var timing: ExchangeTiming?
    /// What the engine has to do.
    @exclusivity(unchecked) var effects: ExchangeEffects = []

    init(_ request: HTTPRequest, isWarmUp: Bool = false) {
        self.request = request
        self.isWarmUp = isWarmUp
        options = request.options
        file = BodySource.open(request.body)
        reception = Reception(for: request)
    }

    /// Names the caller, before the exchange is posted.
    func willAnswer(_ continuation: Continuation) {
        self.continuation = continuation
    }

    /// Whether the caller waits for the answer.
    var isAwaited: Bool { continuation != nil }

    /// Whether libcurl has it.
    var isActive: Bool { handle != nil }

    var resources: ExchangeResources? { handle?.resources }

    /// What the engine has to do since it last asked. It asks after each event.
    func takeEffects() -> ExchangeEffects {
        defer { effects = [] }
        return effects
    }

    // MARK: Start and end

    /// Takes a handle and opens the body to send; false if that failed, for the reason in ``failure``.
    func start(on handle: EasyHandle) -> Bool {
        self.handle = handle
        state.start()
        timing = ExchangeTiming(TimeLimits(options.timeouts), at: handle.now)
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
        reception.releaseConnection()
    }

    /// Reads what libcurl measured, while the handle still knows it.
    func recordMetrics() {
        guard let handle, let timing else { return }
        var metrics = TransferMetrics(handle, received: reception.encodedBytes)
        // libcurl's own are of the first byte in either direction, and of its last look at the clock. Ours are read once
        // per turn, so what happened in one turn may seem to have happened before its start.
        metrics.firstByte = timing.firstByte.map { max($0, metrics.requestSent ?? .zero) }
        metrics.total = max(timing.total(at: handle.now), metrics.firstByte ?? metrics.requestSent ?? .zero)
        if metrics.protocolVersion != .http3 { metrics.http3Fallback = http3Fallback }
        metrics.openConnections = openConnections
        self.metrics = metrics
    }

    /// libcurl ended a transfer: decides what follows.
    func transferEnded(_ code: CURLcode) -> ExchangeState.Next {
        if code == CURLE_OK, state.streamEnd == nil { return .finish }
        let next = state.end(report(code))
        if case .fail(let kind) = next, failure == nil { failure = error(kind) }
        guard next == .sendAgain else { return next }
        if let handle { timing?.restart(at: handle.now) }
        return rewindSource(to: 0) ? next : .finish
    }

    /// libcurl ended the last transfer. Whether the exchange is over with it: if not, what arrived is still to be decoded.
    func endTransfer(_ code: CURLcode) -> Bool {
        // Now, as the connection is another exchange's from here on.
        concludeTransfer(with: code)
        let isOver = flow.end(code)
        if !isOver {
            reception.releaseConnection()
            timing?.waits(for: .reader)
        }
        return isOver
    }

    /// The exchange is over: decides how it went.
    func conclude(with code: CURLcode) {
        if !flow.hasEnded { concludeTransfer(with: code) }
        // Of a refused upgrade only the beginning is read.
        guard failure == nil, !isUpgrade, !flow.holdsInput, let lack = reception.decodingLack else { return }
        failure = error(.transport(.connectionLost(lack)))
    }

    private func concludeTransfer(with code: CURLcode) {
        guard let handle else { return }
        if state.leavesConnectionBroken(code, failure?.kind) { effects.insert(.abandonConnection) }
        guard failure == nil else { return }
        lackedRoute = code == CURLE_COULDNT_CONNECT && handle.lackedRoute
        if code == CURLE_OK, state.isReceiving {
            guard handle.headLines.pointee.finish() else { return }
            reception.trailers = handle.headParser.trailers
        }
        if code != CURLE_OK, !reception.isComplete(despite: code, state.streamEnd, message: handle.errorMessage) {
            failure = error(CurlFailure.kind(of: code, on: handle))
        } else if let lack = reception.lack(state.streamEnd) {
            failure = error(.transport(.connectionLost(lack)))
        }
    }

    /// It is over: hands the rest of a stream on, and leaves what ``response()`` will find.
    func settle() {
        if failure == nil && reception.head == nil && !isWarmUp {
            // libcurl takes a connection that closes inside the header for the end of a response.
            failure = error(.transport(.connectionLost("it ended inside the response's header")))
        }
        options.onEvent?(.finished(metrics))
        guard case .stream(let stream) = sink else { return }
        _ = stream.flush()
        stream.channel.finish(failure, trailers: reception.trailers)
        sink = .none
    }

    /// Ends it with an error, unless it has ended.
    func fail(_ kind: NetworkError.Kind, phase: NetworkError.Phase) {
        failure = failure ?? error(kind, phase)
        settle()
        takeCaller()?.resume()
    }

    func error(_ kind: NetworkError.Kind, _ phase: NetworkError.Phase? = nil) -> NetworkError {
        NetworkError(kind, phase: phase ?? state.errorPhase, request: request, response: reception.responseHead)
    }

    private func dropSink() {
        if case .buffer(var buffer) = sink { buffer.discard() }
        sink = .none
    }

    deinit {
        dropSink()
    }

    // MARK: The caller

    /// The caller to resume, unless it has been. Once it is, the loop leaves the outcome alone.
    func takeCaller() -> Continuation? {
        continuation.take()
    }

    /// Returns the outcome to the caller, once it is resumed. Made on the caller's thread, which saves the loop the work and
    /// keeps its memory out of other threads.
    func response() throws(NetworkError) -> HTTPResponse {
        // Taken, not kept: releasing an unread body ends its exchange.
        if let response = streamedResponse.take() { return response }
        // On failure too: giving back a large buffer takes longer than the loop has.
        defer { dropSink() }
        guard failure == nil, let head = reception.responseHead else {
            throw failure ?? error(.invalidResponse(reason: "there is none"))
        }
        switch sink {
        case .buffer(var buffer):
            sink = .none
            return response(head, .bytes(buffer.take()))
        case .file(_, let url): return response(head, .file(at: url))
        case .stream, .none: return response(head, .empty)
        }
    }

    /// Hands the response's head to the caller of a streamed exchange.
    func answer(with body: HTTPBody) {
        guard let head = reception.responseHead else { return }
        recordMetrics()
        streamedResponse = response(head, body)
        takeCaller()?.resume()
    }

    /// Hands over the connection of an exchange that switched protocols.
    func answer(with connection: any DuplexConnection) {
        guard let head = reception.responseHead else { return }
        options.onEvent?(.finished(metrics))
        sink = .none
        var switched = response(head, .empty)
        switched.connection = connection
        streamedResponse = switched
        takeCaller()?.resume()
    }

    private func response(_ head: HTTPResponseHead, _ body: HTTPBody) -> HTTPResponse {
        var response = HTTPResponse(head: head, body: body, metrics: metrics, request: request)
        if !reception.trailers.isEmpty { response.trailers = reception.trailers }
        return response
    }
}

/// What the engine has to do after an event of an exchange. Several at a time, and no allocation for any.
struct ExchangeEffects: OptionSet {
    let rawValue: UInt8

    /// Note its deadline, which may be earlier than all others.
    static let noteDeadline = ExchangeEffects(rawValue: 1)
    /// Move its body on.
    static let advance = ExchangeEffects(rawValue: 2)
    /// Hand received bytes to the reader at the end of the turn.
    static let flush = ExchangeEffects(rawValue: 4)
    /// Read the rest of a large head, which libcurl may hold back.
    static let readLargeHead = ExchangeEffects(rawValue: 8)
    /// End its connection, which failed as a whole.
    static let abandonConnection = ExchangeEffects(rawValue: 16)
}
#endif
