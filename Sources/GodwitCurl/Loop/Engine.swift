import CGodwitCurl
import GodwitCore

/// libcurl's multi handle and the exchanges on it. Used on the event loop's thread only.
final class Engine {
    let resources: ExchangeResources
    /// The connections that are being made.
    let races: ConnectionRaces
    /// Ready sockets of connections that are being made, while events are served.
    var handshakes: [(descriptor: Int32, events: UInt32)] = []
    var quic = QUICConnections()
    let loop: EventLoop
    /// Takes new exchanges.
    private(set) var multi: MultiHandle
    /// Older multi handles, which finish the exchanges they have.
    var retired: [MultiHandle] = []
    let pruner: Pruner
    var upkeep: ConnectionUpkeep
    var probing: godwit_probing
    private var idleHandles: [EasyHandle] = []
    /// How many handles were made.
    var handleCount = 0
    private(set) var active: [Exchange] = []
    /// Exchanges with received bytes that are to be decoded in turn.
    var undecoded: [Exchange] = []
    /// Exchanges with received bytes that wait to be handed to their readers at the end of the turn.
    private var unflushed: [Exchange] = []
    /// Callers whose exchanges ended in this turn.
    private var callers: [Exchange.Continuation] = []
    var deadlines = DeadlineScan()
    var starts = Starts()
    var ending = EndQueue()
    /// Origins that took too long to connect to, until the exchanges that wait for them are ended.
    var lateOrigins: Set<Origin> = []
    /// The late origins whose waiting exchanges are being ended.
    var lateGroups: [Origin] = []
    var endsInTurn = 0
    /// Whether libcurl has more ended exchanges to report.
    private(set) var hasMoreEnded = false
    let upgrades: Upgrades
    /// Connections that were warmed up and whose server has sent no HTTP/2 frame yet.
    var warming: [Int32: Exchange] = [:]
    /// The exchange whose request libcurl sends next.
    weak var sending: Exchange?
    /// The exchanges by what nghttp2 knows their streams by, if that isn't the handle. Never read through.
    var streams: [UnsafeRawPointer: Exchange] = [:]
    /// Handles in the middle of a large head.
    var largeHeads: [EasyHandle] = []
    private var shutdownWaiters: [UnsafeContinuation<Void, Never>] = []
    private(set) var isShutDown = false

    /// - Parameter onFirstKept: Called once, when the first connection is kept.
    init(
        _ configuration: CurlConfiguration, _ proxies: ProxyRules, _ rules: LoadedRules?, loop: EventLoop,
        poller: Poller,
        onFirstKept: (@Sendable () -> Void)?
    ) {
        CurlLibrary.prepare()
        let trust = EngineTrust(configuration, rules) { [loop] in loop.post(.trust($0)) }
        resources = ExchangeResources(configuration, proxies, rules, trust, loop, poller)
        self.loop = loop
        multi = MultiHandle(configuration, generation: 0, poller: poller)
        pruner = Pruner()
        upgrades = Upgrades(poller)
        upkeep = ConnectionUpkeep(configuration.connections, onFirstKept)
        probing = configuration.connections.probing
        poller.sweepDelay = upkeep.firstDelay
        races = ConnectionRaces(configuration, proxies, poller: poller) { [loop] in loop.post(.addresses($0, $1)) }
        poller.onClose = { [unowned self] in willClose($0) }
        observeStreams()
    }

    /// Whether the loop may end: it was shut down and nothing is under way.
    var isFinished: Bool {
        isShutDown && active.isEmpty && upgrades.isEmpty && starts.isEmpty && ending.isEmpty
    }

    // MARK: Commands

    /// A handle for an exchange; nil if memory ran out.
    func takeHandle() -> EasyHandle? {
        idleHandles.popLast() ?? makeHandle()
    }

    func makeHandle() -> EasyHandle? {
        handleCount += 1
        let handle = EasyHandle(resources, number: handleCount, engine: Unmanaged.passUnretained(self).toOpaque())
        handle?.setCallbacks()
        return handle
    }

    func activate(_ exchange: Exchange) {
        exchange.slot = active.count
        active.append(exchange)
        note(exchange.deadline)
    }

    func resumeReceiving(_ exchange: Exchange) {
        exchange.flow.isFull = false
        advance(exchange)
    }

    func resumeSending(_ exchange: Exchange) {
        resume(exchange, after: .source)
    }

    func resume(_ exchange: Exchange, after party: ExchangeTiming.Party) {
        guard let handle = exchange.handle, !exchange.flow.hasEnded else { return }
        exchange.noteActivity(of: party)
        let code = handle.resume()
        // libcurl handed over what it had kept. If that was refused, nothing may follow what was lost.
        // Without a connection, as between two attempts, there is nothing to resume.
        let isGoingOn = code == CURLE_OK || code == CURLE_BAD_FUNCTION_ARGUMENT
        guard isGoingOn, exchange.failure == nil else { return remove(exchange, outcome: code) }
        note(exchange.deadline)
    }

    func shutDown(_ mode: ShutdownMode, done: UnsafeContinuation<Void, Never>?) {
        isShutDown = true
        if let done { shutdownWaiters.append(done) }
        if mode == .cancelling { cancelAll() }
    }

    /// Frees everything; the loop has ended.
    func tearDown() {
        for handle in idleHandles { handle.free() }
        idleHandles = []
        for multi in retired { multi.free() }
        retired = []
        multi.free()
        pruner.free()
        godwit_observe_streams(nil, nil, nil)
        for waiter in shutdownWaiters { waiter.resume() }
        shutdownWaiters = []
    }

    // MARK: Serving

    /// Reads the time once for everything that is served next.
    func readClock() {
        resources.clock.pointee = .current()
    }

    /// The loop woke up.
    func beginTurn() {
        readClock()
        resources.budget.beginTurn(at: now)
    }

    func serve(_ descriptor: Int32, _ events: UInt32) {
        if !quic.isEmpty, events & godwit_epoll_in != 0 { quic.received(on: descriptor, at: now) }
        if let connection = upgrades.owner(of: descriptor) {
            connection.serve(descriptor, Self.selection(for: events))
            perform(connection.takeEffect(), of: connection)
        } else {
            owner(of: descriptor).act(on: descriptor, Self.selection(for: events))
        }
    }

    func owner(of descriptor: Int32) -> MultiHandle {
        retired.isEmpty ? multi : owner(poller.generation(of: descriptor))
    }

    func owner(of handle: EasyHandle) -> MultiHandle {
        retired.isEmpty ? multi : owner(handle.generation)
    }

    private func owner(_ generation: UInt32?) -> MultiHandle {
        retired.first { $0.generation == generation } ?? multi
    }

    /// Does what follows commands or events: libcurl's timers, ended exchanges, received bytes, deadlines.
    func finishTurn() {
        readClock()
        if let due = upkeepDeadline, due <= now { maintainConnections() }
        startWaiting()
        actOnTimers()
        races.serveTimers(at: now) { budget.hasTime(for: .starts) }
        if !largeHeads.isEmpty { readLargeHeads() }
        if !upgrades.isEmpty { serveUpgrades() }
        finishEndedExchanges()
        for handle in races.takeStalled() { handle.runSoon() }
        decodeWaiting()
        flushReceivedBytes()
        endWaiting()
        resumeCallers()
        if !retired.isEmpty { freeRetired() }
    }

    /// Runs libcurl if its timers are due.
    func actOnTimers() {
        multi.actOnTimers(dueAt: now)
        for multi in retired { multi.actOnTimers(dueAt: now) }
    }

    func millisecondsToNextDeadline() -> Int32 {
        if upgrades.hasUnread || hasMoreToDo { return 0 }
        let connecting = LoopTime.earlier(upgrades.connectDeadline, races.deadline)
        var next = LoopTime.earlier(multi.deadline, .earlier(deadlines.next, connecting))
        for multi in retired { next = .earlier(next, multi.deadline) }
        return LoopTime.earlier(next, upkeepDeadline)?.milliseconds(after: now) ?? -1
    }

    /// Does what an exchange's event led to.
    func perform(_ effects: ExchangeEffects, of exchange: Exchange) {
        if effects.isEmpty { return }
        if effects.contains(.noteDeadline) { note(exchange.deadline) }
        if effects.contains(.advance) { advance(exchange) }
        if effects.contains(.flush) { unflushed.append(exchange) }
        guard let handle = exchange.handle else { return }
        if effects.contains(.readLargeHead) { noteLargeHead(of: handle) }
        if effects.contains(.abandonConnection) { abandonConnection(of: handle) }
    }

    func note(_ deadline: LoopTime?) {
        deadlines.note(deadline)
    }

    var poller: Poller { resources.poller }
    var configuration: CurlConfiguration { resources.configuration }
    var budget: TurnBudget { resources.budget }
    var now: LoopTime { resources.now }

    private func finishEndedExchanges() {
        hasMoreEnded = false
        finishEndedExchanges(of: multi)
        for multi in retired where !hasMoreEnded { finishEndedExchanges(of: multi) }
    }

    private func finishEndedExchanges(of multi: MultiHandle) {
        var count = 0
        while let (handle, code) = multi.nextFinished() {
            guard let exchange = handle.exchange else { continue }
            if code == CURLE_OK, exchange.isWarmUp, awaitsSettings(exchange) { continue }
            if continues(exchange, after: code) { continue }
            end(exchange, code)
            count += 1
            // Such as the streams of a connection that broke.
            guard count % 32 == 0, !budget.hasTime(for: .ends) else { continue }
            hasMoreEnded = true
            return
        }
    }

    private func resumeCallers() {
        guard !callers.isEmpty else { return }
        for caller in callers { caller.resume() }
        callers.removeAll(keepingCapacity: true)
    }

    private func flushReceivedBytes() {
        // An exchange that resumes delivers what libcurl held back, which must not wait while the loop sleeps.
        while !unflushed.isEmpty {
            let due = unflushed
            unflushed.removeAll(keepingCapacity: true)
            for exchange in due where exchange.flush() { advance(exchange) }
        }
    }

    /// libcurl ended the last transfer of an exchange.
    func end(_ exchange: Exchange, _ code: CURLcode) {
        let isOver = exchange.endTransfer(code)
        perform(exchange.takeEffects(), of: exchange)
        if isOver { remove(exchange, outcome: code) }
    }

    /// Removes an exchange from libcurl. With an outcome, it has ended by itself and reports it.
    func remove(_ exchange: Exchange, outcome: CURLcode? = nil) {
        guard let handle = exchange.handle else { return }
        if let outcome { exchange.conclude(with: outcome) }
        perform(exchange.takeEffects(), of: exchange)
        exchange.recordMetrics()
        if exchange.metrics.protocolVersion == .http2 || exchange.metrics.protocolVersion == .http3 {
            starts.noteShared(exchange.request.url.origin)
        }
        if let connection = upgrades.take(exchange) {
            deactivate(exchange)
            upgrades.close(connection)
        } else {
            if exchange.isWarmUp { endWarmUp(exchange) }
            owner(of: handle).remove(handle)
            deactivate(exchange)
            recycle(handle, after: outcome)
        }
        guard outcome != nil else { return }
        exchange.settle()
        if let caller = exchange.takeCaller() { callers.append(caller) }
    }

    func deactivate(_ exchange: Exchange) {
        if let last = active.popLast(), last !== exchange {
            last.slot = exchange.slot
            active[exchange.slot] = last
        }
        probeEnded(exchange)
        releaseVersion(exchange)
        forgetStream(of: exchange)
        detach(exchange)
    }

    /// Takes the handle of an exchange, whose connection others may use from here on.
    func detach(_ exchange: Exchange) {
        guard let handle = exchange.handle else { return }
        exchange.detach()
        races.established(handle)
    }

    private func recycle(_ handle: EasyHandle, after outcome: CURLcode?) {
        let isSound = outcome.map { !Self.codesOfBadHandles.contains($0) } ?? true
        guard isSound, !CurlLibrary.spoilsHandles, idleHandles.count < configuration.maximumIdleHandles else {
            return handle.free()
        }
        idleHandles.append(handle)
    }

    /// After these a handle may be at fault itself, and is not used again.
    private static let codesOfBadHandles = [
        CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN,
    ]

    /// New exchanges get new connections; those of the old multi handle end when their exchanges do.
    func retireConnections() {
        retired.append(multi)
        multi = MultiHandle(configuration, generation: multi.generation + 1, poller: poller)
    }

    private func freeRetired() {
        retired.removeAll { multi in
            if multi.count == 0 { multi.free() }
            return multi.count == 0
        }
    }

    private static func selection(for events: UInt32) -> Int32 {
        var selection: Int32 = 0
        if events & godwit_epoll_in != 0 { selection |= CURL_CSELECT_IN }
        if events & godwit_epoll_out != 0 { selection |= CURL_CSELECT_OUT }
        // An error or hang-up: libcurl finds out which by reading.
        if events & ~(godwit_epoll_in | godwit_epoll_out) != 0 { selection |= CURL_CSELECT_ERR }
        return selection
    }
}
