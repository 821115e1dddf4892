#if os(Linux)
@_spi(Engines) package import GodwitCore

/// One request and its response, from the caller's `send` to its end: carries out what ``ExchangeState``, ``BodyFlow`` and
/// ``Reception`` decide.
package final class Exchange: @unchecked Sendable {
    // Proof: `request` and `options` never change. Everything else is written by the caller before the exchange is given
    // to its event loop, which a lock orders; from then on touched in the loop's turn; and, once the caller is resumed,
    // what ``response()`` reads is left to the caller.

    package typealias Continuation = UnsafeContinuation<Void, Never>

    package let request: HTTPRequest
    package let options: RequestOptions
    /// Whether it only makes a connection, which is kept.
    package let isWarmUp: Bool
    /// The caller, until it is resumed. It then reads the outcome with ``response()``.
    @exclusivity(unchecked) private var continuation: Continuation?
    /// What the caller of a streamed exchange gets while the rest is still to come.
    private var streamedResponse: HTTPResponse?

    @exclusivity(unchecked) package var state: ExchangeState
    /// What all exchanges of its loop share; set when the loop gets it.
    @exclusivity(unchecked) private(set) var resources: ExchangeResources?
    /// What it runs on; `nil` while it waits, and once its response has arrived.
    @exclusivity(unchecked) package var carrier: (any Carrier)?
    /// Its place among the loop's exchanges; -1 for none.
    @exclusivity(unchecked) package var slot = -1
    /// The connections that it may use.
    @exclusivity(unchecked) var route: Route?

    /// How it answers a proxy that asks for credentials.
    var proxyAttempt = ProxyAttempt()
    /// Whether its body waits until the proxy has said whether it asks for credentials.
    var asksProxyFirst = false

    /// The file of its body, opened by the caller.
    var file: Result<FileReader, NetworkError>?
    @exclusivity(unchecked) package private(set) var source: BodySource?
    @exclusivity(unchecked) package var reception: Reception
    @exclusivity(unchecked) var sink = BodySink.none
    @exclusivity(unchecked) package var flow = BodyFlow()

    /// Why it failed.
    @exclusivity(unchecked) package private(set) var failure: NetworkError?
    /// Whether the system had no route to its host's address.
    package private(set) var lackedRoute = false
    /// Whether a connection that was warmed up is shared by many requests.
    package var isShared = false
    @exclusivity(unchecked) private(set) var metrics = TransferMetrics()
    @exclusivity(unchecked) private var used: UsedConnection?
    @exclusivity(unchecked) package var timing: ExchangeTiming?

    package init(_ request: HTTPRequest, isWarmUp: Bool = false) {
        self.request = request
        self.isWarmUp = isWarmUp
        options = request.options
        state = ExchangeState(after: options.earlierSendings)
        file = BodySource.open(request.body)
        reception = Reception(for: request)
    }

    deinit { dropSink() }

    var isUpgrade: Bool { options.upgrade != nil }
    /// Whether trailer fields follow its request's body.
    package var sendsTrailers: Bool { request.body?.trailerNames != nil }
    /// Whether sending it twice does no harm.
    package var isRepeatable: Bool { request.isRepeatable }
    /// Whether the request says `Expect: 100-continue`.
    package var isExpecting: Bool {
        (options.expectContinue || asksProxyFirst) && !state.skipsExpectation && request.body != nil
    }
    var now: LoopTime { resources?.services.now ?? .zero }

    // MARK: Start and end

    /// A loop has it.
    package func enter(_ resources: ExchangeResources) {
        self.resources = resources
        timing = ExchangeTiming(TimeLimits(options.timeouts), at: now)
    }

    /// The request is about to go out. Opens its body; `false` if that failed, for the reason in ``failure``.
    package func begin(on carrier: any Carrier, _ used: UsedConnection) -> Bool {
        self.carrier = carrier
        self.used = used
        do throws(NetworkError) {
            if let body = request.body { try openSource(body) }
        } catch {
            return refuse(error.kind, underlying: error.underlying)
        }
        state.send()
        timing?.sending(at: now, hasBody: source != nil)
        resources?.services.note(timing?.deadline)
        return true
    }

    private func openSource(_ body: HTTPBody) throws(NetworkError) {
        if let source {
            if source.rewind(to: 0) { return }
            guard body.isReplayable else {
                throw NetworkError(
                    .transport(.cannotSendBody("the connection broke, and the stream can be read only once")),
                    phase: .sending)
            }
        }
        guard let mailbox = resources?.mailbox else { return }
        source = try BodySource(body, file.take()) { [self] in mailbox.resumeSending(self) }
    }

    /// All of the request is sent, or what is left of it won't be.
    package func dropSource() {
        state.sent()
    }

    /// It waits again, as its request was not processed.
    package func restart() {
        carrier = nil
        used = nil
        timing?.restart(at: now)
    }

    /// The response is complete, as far as its connection goes.
    package func complete(_ trailers: HTTPFields) {
        reception.trailers = trailers
        carrier = nil
        flow.end()
        if flow.holdsInput { timing?.waits(for: .reader) }
        resources?.services.advance(self)
    }

    /// Nothing follows: decides how it went.
    package func conclude() {
        guard failure == nil, !isUpgrade, let lack = reception.decodingLack else { return }
        failure = error(.transport(.connectionLost(lack)))
    }

    /// Ends it with an error, unless it has one.
    package func setFailure(_ kind: NetworkError.Kind, _ phase: NetworkError.Phase? = nil, lackedRoute: Bool = false) {
        if failure == nil { failure = error(kind, phase) }
        self.lackedRoute = lackedRoute
    }

    package func setFailure(_ error: NetworkError) {
        if failure == nil { failure = error }
    }

    /// Gives up. The first reason is the one that counts.
    package func refuse(_ kind: NetworkError.Kind, underlying: (any Error)? = nil) -> Bool {
        if failure == nil {
            var failure = error(kind)
            failure.underlying = underlying
            self.failure = failure
        }
        return false
    }

    package func error(_ kind: NetworkError.Kind, _ phase: NetworkError.Phase? = nil) -> NetworkError {
        NetworkError(kind, phase: phase ?? state.errorPhase, request: request, response: reception.responseHead)
    }

    /// It is over: hands the rest of a stream on, and leaves what ``response()`` will find.
    package func settle() {
        state.finish()
        carrier = nil
        recordMetrics()
        failure?.resendCount = state.resendCount
        source = nil
        options.onEvent?(.finished(metrics))
        guard case .stream(let stream) = sink else { return }
        _ = stream.flush()
        stream.channel.finish(failure, trailers: reception.trailers)
        sink = .none
    }

    /// Ends it if no loop takes it.
    package func failUnsent(_ kind: NetworkError.Kind) {
        setFailure(kind, .building)
        settle()
        takeCaller()?.resume()
    }

    /// The server speaks another version than was expected.
    func noteVersion(_ version: HTTPVersion) { used?.version = version }

    private func recordMetrics() {
        guard let timing else { return }
        var metrics = TransferMetrics()
        used?.record(in: &metrics, from: timing.start)
        metrics.requestSent = timing.requestSent.map { $0 - timing.start }
        metrics.firstByte = timing.firstReceipt.map { max($0 - timing.start, metrics.requestSent ?? .zero) }
        metrics.total = max(now - timing.start, metrics.firstByte ?? metrics.requestSent ?? .zero)
        metrics.bytesSent = source?.sent ?? self.metrics.bytesSent
        metrics.bytesReceived = reception.encodedBytes
        metrics.resendCount = state.resendCount
        self.metrics = metrics
    }

    private func dropSink() {
        if case .buffer(var buffer) = sink { buffer.discard() }
        sink = .none
    }

    // MARK: The caller

    /// Names the caller, before the exchange is posted.
    package func willAnswer(_ continuation: Continuation) {
        self.continuation = continuation
    }

    /// The caller to resume, unless it has been. Once it is, the loop leaves the outcome alone.
    package func takeCaller() -> Continuation? {
        continuation.take()
    }

    /// Returns the outcome to the caller, once it is resumed. Made on the caller's thread, which saves the loop the work and
    /// keeps its memory out of other threads.
    package func response() throws(NetworkError) -> HTTPResponse {
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
        case .file(_, let url): return response(head, .regularFile(at: url))
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
        state.finish()
        carrier = nil
        recordMetrics()
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

/// What an exchange runs on: a connection of HTTP/1, or a stream of HTTP/2.
package protocol Carrier: AnyObject {
    /// The reader has caught up.
    func resumeReceiving(_ exchange: Exchange)
    /// The body to send has more.
    func resumeSending(_ exchange: Exchange)
    /// The exchange ends before its response does.
    func abandon(_ exchange: Exchange)
    /// What the peer has acknowledged of all that was sent; `nil` if unknown.
    var acknowledgedBytes: UInt64? { get }
}

/// What the exchanges of one loop share.
package final class ExchangeResources {
    let smallBuffers = BufferPool(size: 8 << 10, maximumIdle: 128)
    let largeBuffers = BufferPool(size: 128 << 10, maximumIdle: 16)
    /// Bytes of a streamed response that may wait for their reader.
    let streamBuffer: Int
    let mailbox: any ExchangeMailbox
    // The loop's engine, which outlives what runs on its thread.
    unowned(unsafe) let services: any ExchangeServices

    package init(streamBuffer: Int, _ mailbox: any ExchangeMailbox, _ services: any ExchangeServices) {
        self.streamBuffer = min(max(1, streamBuffer), 1 << 40)
        self.mailbox = mailbox
        self.services = services
    }
}

/// What an exchange asks of its loop. Used in the loop's turn.
package protocol ExchangeServices: AnyObject {
    /// The time of this turn.
    var now: LoopTime { get }
    /// Whether the turn has time to decode more.
    var hasTime: Bool { get }
    /// An exchange has this deadline, which may be earlier than all others.
    func note(_ deadline: LoopTime?)
    /// Hands received bytes to the reader at the end of the turn.
    func flushSoon(_ exchange: Exchange)
    /// Does what ``BodyFlow`` says.
    func advance(_ exchange: Exchange)
}

/// Asks the event loop of an exchange for something, from any thread.
package protocol ExchangeMailbox: AnyObject, Sendable {
    /// The reader of a streamed response accepts more.
    func resumeReceiving(_ exchange: Exchange)
    /// The source of a streamed upload has more.
    func resumeSending(_ exchange: Exchange)
    /// A step of its decoder was done on another thread.
    func decoded(_ exchange: Exchange)
    func cancel(_ exchange: Exchange)
}

/// The connection that an exchange was sent on, for its metrics.
package struct UsedConnection {
    let timeline: Connection.Timeline
    let remoteText: String?
    let localPort: Int?
    var version: HTTPVersion
    let isReused: Bool
    /// How many connections its origin had with the one that was made for it; `nil` if none was.
    var openConnections: Int?

    init(_ connection: Connection, _ version: HTTPVersion, isReused: Bool, openConnections: Int?) {
        timeline = connection.timeline
        remoteText = connection.remoteText
        localPort = connection.localAddress.map { Int($0.port) }
        self.version = version
        self.isReused = isReused
        self.openConnections = openConnections
    }

    /// A connection that isn't a socket of this target.
    package init(
        _ version: HTTPVersion, isReused: Bool, openConnections: Int?, remote: String, localPort: Int,
        from start: LoopTime,
        resolved: LoopTime?, connected: LoopTime?, secured: LoopTime?
    ) {
        timeline = Connection.Timeline(start: start, resolved: resolved, connected: connected, secured: secured)
        remoteText = remote
        self.localPort = localPort
        self.version = version
        self.isReused = isReused
        self.openConnections = openConnections
    }

    func record(in metrics: inout TransferMetrics, from start: LoopTime) {
        metrics.reusedConnection = isReused
        if !isReused {
            // It may have been begun for another exchange.
            func since(_ time: LoopTime?) -> Duration? { time.map { max($0 - start, .zero) } }
            metrics.dns = since(timeline.resolved)
            metrics.connect = since(timeline.connected)
            metrics.tls = since(timeline.secured)
        }
        metrics.protocolVersion = version
        metrics.remoteAddress = remoteText
        metrics.localPort = localPort
        metrics.openConnections = openConnections
    }
}
#endif
