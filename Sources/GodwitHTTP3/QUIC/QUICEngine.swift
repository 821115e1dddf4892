#if os(Linux)
import CLibcurl
import GodwitCore
import GodwitSockets
import GodwitTLS

/// Moves exchanges from their start to their end, a turn of the loop at a time. Used on the loop's thread.
///
/// libcurl connects and speaks HTTP/3; bodies, deadlines and sending again are those of `GodwitSockets`.
final class QUICEngine {
    private let plan: QUICSettings
    let options: CurlOptions
    private let inbox: Inbox<QUICCommand>
    let poller: QUICPoller
    var work = ExchangeWork()
    private lazy var resources = ExchangeResources(streamBuffer: plan.configuration.streamBuffer, inbox, self)
    private lazy var multi = QUICMulti(self)
    /// Requests with bodies, each on a connection of its own: when libcurl gives one up whose body waits to be sent, it fails the
    /// connection's other streams, or traps.
    private lazy var uploads = QUICMulti(self, isShared: false)
    /// They finish their exchanges.
    private var formerMultis: [QUICMulti] = []
    var trust: QUICTrust
    /// What waits for the trusted certificates.
    private var untrusted: [(exchange: Exchange, attempt: QUICAttempt)] = []
    /// Streams whose response is complete while their request is still sent.
    var answered: [QUICStream] = []
    private var isShutDown = false
    private var shutdownWaiters: [UnsafeContinuation<Void, Never>] = []

    init(_ plan: QUICSettings, _ inbox: Inbox<QUICCommand>, _ poller: QUICPoller) {
        self.plan = plan
        self.inbox = inbox
        self.poller = poller
        options = CurlOptions(plan.configuration)
        trust = QUICTrust(plan) { [inbox] in inbox.post(.trust($0)) }
    }

    /// Whether the loop may end: it was shut down and nothing is under way.
    var isFinished: Bool { isShutDown && work.isEmpty }

    var connectionCounts: ConnectionCounts {
        let counts = multis.map(\.counts)
        return ConnectionCounts(
            open: counts.reduce(0) { $0 + $1.open }, idle: counts.reduce(0) { $0 + $1.idle }, waiting: untrusted.count)
    }

    func shutDown(_ mode: ShutdownMode, done: UnsafeContinuation<Void, Never>?) {
        isShutDown = true
        if let done { shutdownWaiters.append(done) }
        if mode == .cancelling { for exchange in work.active { end(exchange, .cancelled) } }
    }

    /// Frees everything; the loop has ended.
    func tearDown() {
        for multi in multis { multi.free() }
        for waiter in shutdownWaiters { waiter.resume() }
    }

    // MARK: A turn

    /// Does what follows commands or events.
    func finishTurn() {
        startTrusted()
        for multi in multis {
            multi.serveTimer(at: now)
            while let (stream, code) = multi.nextEnded() { ended(stream, code) }
        }
        endAnswered()
        decodeWaiting()
        flushReceived()
        scanIfDue()
        freeFormer()
        resumeCallers()
    }

    /// When the next turn has to start, unless an event makes it start earlier; `nil` for never.
    var nextTurn: LoopTime? {
        if work.hasMoreToDo { return now }
        return multis.reduce(work.nextScan) { .earlier($0, $1.deadline) }
    }

    private var multis: [QUICMulti] { formerMultis + [multi, uploads] }

    private func freeFormer() {
        guard !formerMultis.isEmpty else { return }
        for multi in formerMultis where multi.streams.isEmpty { multi.free() }
        formerMultis.removeAll { $0.streams.isEmpty }
    }

    // MARK: Connections

    /// A connection is about to carry its first request.
    func connected(_ connection: QUICConnection) {
        plan.origins.connected(connection.origin)
        plan.services.succeeded(at: connection.origin)
        plan.onConnected()
    }

    func disconnected(_ connection: QUICConnection) { plan.origins.disconnected(connection.origin) }

    /// The network path changed, or a connection died: what follows uses new connections.
    func retire() {
        multi.retire()
        formerMultis += [multi, uploads]
        multi = QUICMulti(self)
        uploads = QUICMulti(self, isShared: false)
        plan.origins.retireAll()
    }

    /// An exchange ended without a response. If nothing arrived for as long, its connection is dead; and a network that lost UDP
    /// would do the same to the next one.
    private func suspectSilence(of exchange: Exchange, _ ending: SilenceRule.Ending?) {
        guard let ending, let stream = exchange.carrier as? QUICStream, let connection = stream.connection else {
            return
        }
        let silence = now.nanoseconds(after: connection.received) / 1_000_000
        guard SilenceRule(ending).givesUp(after: silence, others: connection.streams - 1) else { return }
        plan.services.failed(at: connection.origin)
        let others = stream.multi.streams.values.filter { $0.connection === connection && $0 !== stream }
        if stream.multi === multi || stream.multi === uploads { retire() }
        for other in others {
            end(other.exchange, .transport(.connectionLost("given up: nothing arrived for \(silence) ms")))
        }
    }

    // MARK: Starting

    /// A caller's exchange arrived.
    func start(_ exchange: Exchange, _ attempt: QUICAttempt) {
        exchange.enter(resources)
        add(exchange)
        if isShutDown || exchange.state.isCancelled {
            return end(exchange, isShutDown ? .shutdown : .cancelled, isShutDown ? .building : .connecting)
        }
        if trust.loader.isMissing(at: now) { return untrusted.append((exchange, attempt)) }
        send(exchange, attempt)
    }

    private func startTrusted() {
        guard !untrusted.isEmpty, !trust.loader.isMissing(at: now) else { return }
        let due = untrusted
        untrusted = []
        for (exchange, attempt) in due where !exchange.state.isOver { send(exchange, attempt) }
    }

    private func send(_ exchange: Exchange, _ attempt: QUICAttempt) {
        exchange.state.dial()
        exchange.timing?.connecting(at: now)
        note(exchange.timing?.deadline)
        do throws(NetworkError) {
            let rules = try trust.rules(for: exchange.request.url)
            let multi = exchange.request.body == nil ? multi : uploads
            guard let stream = QUICStream(exchange, attempt, rules, multi, self), multi.add(stream) else {
                return end(exchange, .transport(.other("out of memory")))
            }
            exchange.carrier = stream
        } catch {
            end(exchange, error.kind)
        }
    }

    // MARK: Ending

    /// libcurl ended a stream.
    private func ended(_ stream: QUICStream, _ code: CURLcode) {
        let exchange = stream.exchange
        let kind = failure(of: stream, code)
        let lackedRoute = stream.lackedRoute
        stream.remove()
        exchange.carrier = nil
        if let kind {
            if exchange.failure != nil || exchange.state.sendCount == 0 {
                return end(exchange, kind, lackedRoute: lackedRoute)
            }
            return lost(stream, kind)
        }
        guard !exchange.isWarmUp else { return finish(exchange) }
        exchange.complete(stream.head.trailers)
    }

    private func endAnswered() {
        let due = answered
        answered = []
        for stream in due where !stream.exchange.state.isOver && stream.exchange.carrier === stream {
            stream.remove()
            stream.exchange.complete([:])
        }
    }

    private func failure(of stream: QUICStream, _ code: CURLcode) -> NetworkError.Kind? {
        if code == CURLE_OK {
            guard !stream.head.isComplete, !stream.exchange.isWarmUp else { return nil }
            return .transport(.connectionLost("it ended inside the response's header"))
        }
        if stream.wasRefused { return .transport(.cannotConnect("no open HTTP/3 connection takes the request")) }
        return CurlFailure.kind(
            of: code, stream.errorMessage, host: stream.exchange.request.url.host,
            isConnected: stream.exchange.state.sendCount > 0, stream.check)
    }

    /// A stream or its connection failed after the request began to go out.
    private func lost(_ stream: QUICStream, _ kind: NetworkError.Kind) {
        let exchange = stream.exchange
        var loss = ExchangeState.Loss(isReused: stream.isReused, isSilent: stream.head.size == 0)
        if stream.failedExpectation { loss.evidence = .expectationFailed }
        switch exchange.state.lose(loss, exchange.request.method, isRepeatable: exchange.isRepeatable) {
        case .fail: end(exchange, kind)
        case .stop(let reason): end(exchange, .transport(.connectionLost(reason)))
        case .again where loss.evidence == .unknown && stream.attempt.port != nil:
            // The network may have lost UDP, so a new connection has to race again.
            stream.attempt.giveBack()
            end(exchange, kind)
        case .again:
            exchange.restart()
            send(exchange, stream.attempt)
        }
    }

    func cancel(_ exchange: Exchange) {
        exchange.state.cancel()
        guard !exchange.state.isOver, exchange.slot >= 0 else { return }
        if !isShutDown { suspectSilence(of: exchange, SilenceRule.Ending(cancelled: exchange, at: now)) }
        end(exchange, .cancelled)
    }

    /// TCP connected first.
    func giveUp(_ exchange: Exchange) {
        guard exchange.slot >= 0, exchange.state.sendCount == 0 else { return }
        end(exchange, .transport(.cannotConnect("QUIC did not connect before TCP did")))
    }

    /// Ends an exchange before its response is complete. The first reason is the one that counts.
    private func end(
        _ exchange: Exchange, _ kind: NetworkError.Kind, _ phase: NetworkError.Phase? = nil, lackedRoute: Bool = false
    ) {
        guard !exchange.state.isOver else { return }
        exchange.setFailure(kind, phase, lackedRoute: lackedRoute)
        let carrier = exchange.carrier
        finish(exchange)
        carrier?.abandon(exchange)
    }
}

extension QUICEngine: ExchangeEngine {
    var mailbox: any ExchangeMailbox { inbox }

    func gaveUp(_ exchange: Exchange) { end(exchange, .cancelled) }

    func expired(_ exchange: Exchange, _ stage: NetworkError.Stage) {
        suspectSilence(of: exchange, SilenceRule.Ending(exchange, expiredIn: stage, at: now))
        end(exchange, .timedOut(stage))
    }
}
#endif
