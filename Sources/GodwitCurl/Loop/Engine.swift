import CGodwitCurl
import GodwitCore

/// libcurl's multi handle and the exchanges on it. Lives on the event loop's thread and nowhere else.
final class Engine {
    let poller: Poller
    let configuration: CurlConfiguration
    let smallBuffers = BufferPool(size: 8 << 10, maximumIdle: 128)
    let largeBuffers = BufferPool(size: 128 << 10, maximumIdle: 16)
    let addresses: AddressList
    /// Nil where no host has a rule of its own.
    let rules: HostRules?
    let loop: EventLoop
    let multi: MultiHandle
    /// Whether the connection with a local port serves one exchange after the other, as over HTTP/1.1.
    let serialPorts: UnsafeMutableBufferPointer<Bool>
    private var idleHandles: [EasyHandle] = []
    private(set) var active: [Exchange] = []
    /// Exchanges with received bytes that wait to be handed to their readers at the end of the turn.
    private var unflushed: [Exchange] = []
    /// Callers whose exchanges ended in this turn.
    private var callers: [Exchange.Continuation] = []
    private var deadlines = DeadlineScan()
    private var lastLimits = (timeouts: Timeouts(), limits: TimeLimits(Timeouts()))
    /// When libcurl wants to be called again, on the loop's clock; nil for never.
    var curlDeadline: LoopTime?
    /// The time of this turn, where it can be read without the engine.
    let clock: UnsafeMutablePointer<LoopTime>
    var upgrades = Upgrades()
    /// Handles in the middle of a large head.
    var largeHeads: [EasyHandle] = []
    private var shutdownWaiters: [UnsafeContinuation<Void, Never>] = []
    private var isShutDown = false

    init(_ configuration: CurlConfiguration, _ rules: LoadedRules?, loop: EventLoop, poller: Poller) {
        CurlLibrary.prepare()
        clock = .allocate(capacity: 1)
        clock.initialize(to: .current())
        self.configuration = configuration
        addresses = AddressList(configuration.addressOverrides)
        self.rules = rules.map { HostRules($0) }
        self.loop = loop
        self.poller = poller
        multi = MultiHandle()
        serialPorts = .allocate(capacity: 1 << 16)
        serialPorts.initialize(repeating: false)
        multi.configure(configuration, owner: self)
        observeStreams()
    }

    deinit {
        clock.deallocate()
        serialPorts.deallocate()
    }

    /// Whether the loop may end: it was shut down and nothing is under way.
    var isFinished: Bool { isShutDown && active.isEmpty && upgrades.isEmpty }

    // MARK: Commands

    func start(_ exchange: Exchange) {
        guard !isShutDown else { return exchange.fail(.shutdown, phase: .building) }
        guard !exchange.isCancelled else { return exchange.fail(.cancelled, phase: .connecting) }
        guard exchange.options.upgrade == nil else { return startUpgrade(exchange) }
        guard let handle = idleHandles.popLast() ?? EasyHandle(engine: self) else {
            return exchange.fail(.transport(.other("out of memory")), phase: .connecting)
        }
        guard exchange.begin(on: handle, at: now), multi.add(handle) else {
            exchange.detach()
            recycle(handle)
            return exchange.fail(.transport(.other("libcurl refused the exchange")), phase: .connecting)
        }
        activate(exchange)
        // A handle that was added has something to do at once.
        curlDeadline = now
    }

    func activate(_ exchange: Exchange) {
        exchange.slot = active.count
        active.append(exchange)
        note(exchange.deadline)
    }

    func cancel(_ exchange: Exchange) {
        exchange.isCancelled = true
        guard exchange.isActive else { return }
        remove(exchange)
        exchange.fail(.cancelled, phase: exchange.phase)
    }

    func resumeReceiving(_ exchange: Exchange) {
        if exchange.wasDrained() { resume(exchange, after: .reader) }
    }

    func resumeSending(_ exchange: Exchange) {
        resume(exchange, after: .source)
    }

    private func resume(_ exchange: Exchange, after party: ExchangeTiming.Party) {
        guard let handle = exchange.handle else { return }
        exchange.noteActivity(of: party)
        let code = handle.resume()
        // What libcurl had kept is handed over before this returns; refused, nothing may follow what was lost.
        // Without a connection, as between two attempts, there is nothing to resume.
        let isGoingOn = code == CURLE_OK || code == CURLE_BAD_FUNCTION_ARGUMENT
        guard isGoingOn, exchange.failure == nil else { return remove(exchange, outcome: code) }
        note(exchange.deadline)
    }

    func shutDown(_ mode: ShutdownMode, done: UnsafeContinuation<Void, Never>?) {
        isShutDown = true
        if let done { shutdownWaiters.append(done) }
        guard mode == .cancelling else { return }
        for exchange in active { cancel(exchange) }
        for connection in upgrades.all { connection.cancel() }
    }

    /// Lets go of everything; the loop has ended.
    func tearDown() {
        for handle in idleHandles { handle.free() }
        idleHandles = []
        upgrades.readBuffer.deallocate()
        multi.free()
        godwit_observe_streams(nil, nil)
        for waiter in shutdownWaiters { waiter.resume() }
        shutdownWaiters = []
    }

    // MARK: Serving

    /// What is served next happens now, and not before the loop slept.
    func readClock() {
        clock.pointee = .current()
    }

    func serve(_ descriptor: Int32, _ events: UInt32) {
        if let connection = upgrades.owner(of: descriptor) {
            connection.serve(descriptor, Self.selection(for: events))
        } else {
            multi.act(on: descriptor, Self.selection(for: events))
        }
    }

    /// What is left to do after commands or events: libcurl's timers, ended exchanges, received bytes, deadlines.
    func finishTurn() {
        readClock()
        if let due = curlDeadline, due <= now {
            curlDeadline = nil
            multi.actOnTimers()
        }
        if !largeHeads.isEmpty { readLargeHeads() }
        if !upgrades.isEmpty { serveUpgrades() }
        finishEndedExchanges()
        flushReceivedBytes()
        expireExchanges()
        resumeCallers()
    }

    func millisecondsToNextDeadline() -> Int32 {
        if upgrades.hasUnread { return 0 }
        let next = LoopTime.earlier(curlDeadline, .earlier(deadlines.next, upgrades.connectDeadline))
        return next?.milliseconds(after: now) ?? -1
    }

    /// libcurl's timer function: when to be called again.
    func setCurlTimer(milliseconds: Int) {
        curlDeadline = milliseconds < 0 ? nil : now + Int64(milliseconds) * 1_000_000
    }

    func needsFlush(_ exchange: Exchange) {
        unflushed.append(exchange)
    }

    /// The exchange's deadline may be earlier than all others.
    func note(_ deadline: LoopTime?) {
        deadlines.note(deadline)
    }

    var now: LoopTime { clock.pointee }

    /// Timeouts in the loop's terms; one request's are nearly always the last one's.
    func limits(for timeouts: Timeouts) -> TimeLimits {
        if lastLimits.timeouts != timeouts { lastLimits = (timeouts, TimeLimits(timeouts)) }
        return lastLimits.limits
    }

    private func finishEndedExchanges() {
        while let (handle, code) = multi.nextFinished() {
            guard let exchange = handle.exchange else { continue }
            if exchange.startsAgain(after: code), sendAgain(exchange, on: handle) { continue }
            remove(exchange, outcome: code)
        }
    }

    private func resumeCallers() {
        guard !callers.isEmpty else { return }
        for caller in callers { caller.resume() }
        callers.removeAll(keepingCapacity: true)
    }

    private func flushReceivedBytes() {
        // An exchange that goes on brings what libcurl held back, which is not left lying while the loop sleeps.
        while !unflushed.isEmpty {
            let due = unflushed
            unflushed.removeAll(keepingCapacity: true)
            for exchange in due where exchange.flush() { resume(exchange, after: .reader) }
        }
    }

    private func expireExchanges() {
        guard deadlines.isDue(at: now) else { return }
        for exchange in deadlines.scan(active, at: now) where exchange.isActive {
            guard !exchange.hasMovedUnseen(at: now) else {
                note(exchange.deadline)
                continue
            }
            let stage = exchange.expiredStage(at: now)
            expire(exchange, stage)
            if stage == .connect { expireQueue(for: exchange.request.url.origin) }
        }
    }

    private func expire(_ exchange: Exchange, _ stage: NetworkError.Stage) {
        let phase = exchange.phase
        remove(exchange)
        exchange.fail(.timedOut(stage), phase: phase)
    }

    /// Whoever waited to share the connection that did not come about has waited as long, and would else try next, one
    /// after the other.
    private func expireQueue(for origin: Origin) {
        for exchange in active where exchange.request.url.origin == origin && exchange.hasQueuedTooLong(at: now) {
            expire(exchange, .connect)
        }
    }

    /// Takes an exchange off libcurl; with an outcome, it has ended by itself and reports it.
    func remove(_ exchange: Exchange, outcome: CURLcode? = nil) {
        guard let handle = exchange.handle else { return }
        if let outcome { exchange.conclude(with: outcome) }
        exchange.recordMetrics()
        if let connection = exchange.upgraded.take() {
            deactivate(exchange)
            close(connection)
        } else {
            multi.remove(handle)
            deactivate(exchange)
            recycle(handle)
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
        exchange.detach()
    }

    private func recycle(_ handle: EasyHandle) {
        guard idleHandles.count < configuration.maximumIdleHandles else { return handle.free() }
        idleHandles.append(handle)
    }

    private static func selection(for events: UInt32) -> Int32 {
        var selection: Int32 = 0
        if events & godwit_epoll_in != 0 { selection |= CURL_CSELECT_IN }
        if events & godwit_epoll_out != 0 { selection |= CURL_CSELECT_OUT }
        // An error or hang-up: libcurl finds out which by trying.
        if events & ~(godwit_epoll_in | godwit_epoll_out) != 0 { selection |= CURL_CSELECT_ERR }
        return selection
    }
}
