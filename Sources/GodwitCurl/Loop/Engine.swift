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
    /// What TLS connections trust.
    var trust: EngineTrust
    /// The connections that are being made.
    let races: ConnectionRaces
    /// Ready sockets of such connections, while events are served.
    var handshakes: [(descriptor: Int32, events: UInt32)] = []
    let loop: EventLoop
    private let multi: MultiHandle
    private var idleHandles: [EasyHandle] = []
    /// How many handles were made.
    var handleCount = 0
    private(set) var active: [Exchange] = []
    /// Exchanges with received bytes that wait to be handed to their readers at the end of the turn.
    private var unflushed: [Exchange] = []
    /// Callers whose exchanges ended in this turn.
    private var callers: [Exchange.Continuation] = []
    var deadlines = DeadlineScan()
    /// How long this turn may take, and what is left for the next one.
    var budget: TurnBudget
    var starting = StartQueue<Origin, Exchange>()
    /// Those that wait until the trusted certificates are read.
    var untrusted = StartQueue<Origin, Exchange>()
    /// When the first of those that wait has waited for too long; nil for never.
    var waitingDeadline: LoopTime?
    var admission = Admission()
    /// The origin that the last exchange over a shared connection was with.
    private(set) var sharedOrigin: Origin?
    var startsInTurn = 0
    var ending = EndQueue()
    /// Origins that took too long to connect to, until those that wait for such connections are ended.
    var lateOrigins: Set<Origin> = []
    /// Those of them whose waiting exchanges are being ended.
    var lateGroups: [Origin] = []
    var endsInTurn = 0
    /// Whether libcurl has more ended exchanges to tell of.
    private(set) var hasMoreEnded = false
    private var lastLimits = (timeouts: Timeouts(), limits: TimeLimits(Timeouts()))
    /// When libcurl wants to be called again, on the loop's clock; nil for never.
    private var curlDeadline: LoopTime?
    /// The time of this turn, where it can be read without the engine.
    let clock: UnsafeMutablePointer<LoopTime>
    var upgrades = Upgrades()
    private var shutdownWaiters: [UnsafeContinuation<Void, Never>] = []
    private(set) var isShutDown = false

    init(_ configuration: CurlConfiguration, _ rules: LoadedRules?, loop: EventLoop, poller: Poller) {
        CurlLibrary.prepare()
        clock = .allocate(capacity: 1)
        clock.initialize(to: .current())
        budget = TurnBudget(at: clock.pointee)
        self.configuration = configuration
        addresses = AddressList(configuration.addressOverrides)
        self.rules = rules.map { HostRules($0) }
        trust = EngineTrust(configuration, rules, loop: loop)
        self.loop = loop
        self.poller = poller
        races = ConnectionRaces(configuration, poller: poller, loop: loop)
        multi = MultiHandle()
        multi.configure(configuration, owner: self)
    }

    deinit {
        clock.deallocate()
    }

    /// Whether the loop may end: it was shut down and nothing is under way.
    var isFinished: Bool {
        isShutDown && active.isEmpty && upgrades.isEmpty && starting.isEmpty && untrusted.isEmpty && ending.isEmpty
    }

    // MARK: Commands

    func startNow(_ exchange: Exchange) {
        let isStarted = giveToLibcurl(exchange)
        if !isStarted { probeEnded(exchange) }
    }

    /// False if the exchange has failed.
    private func giveToLibcurl(_ exchange: Exchange) -> Bool {
        if exchange.options.upgrade != nil {
            startUpgrade(exchange)
            return true
        }
        guard let handle = idleHandles.popLast() ?? EasyHandle(engine: self) else {
            exchange.fail(.transport(.other("out of memory")), phase: .connecting)
            return false
        }
        guard exchange.begin(on: handle, at: now), multi.add(handle) else {
            exchange.detach()
            recycle(handle)
            exchange.fail(.transport(.other("libcurl refused the exchange")), phase: .connecting)
            return false
        }
        activate(exchange)
        // A handle that was added has something to do at once.
        curlDeadline = now
        return true
    }

    func activate(_ exchange: Exchange) {
        exchange.slot = active.count
        active.append(exchange)
        note(exchange.deadline)
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
        if mode == .cancelling { cancelAll() }
    }

    /// Lets go of everything; the loop has ended.
    func tearDown() {
        for handle in idleHandles { handle.free() }
        idleHandles = []
        upgrades.readBuffer.deallocate()
        multi.free()
        for waiter in shutdownWaiters { waiter.resume() }
        shutdownWaiters = []
    }

    // MARK: Serving

    /// What is served next happens now, and not before the loop slept.
    func readClock() {
        clock.pointee = .current()
    }

    /// The loop woke up.
    func beginTurn() {
        readClock()
        budget.beginTurn(at: now)
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
        startWaiting()
        actOnTimers()
        races.serveTimers(at: now) { budget.hasTime(for: .starts) }
        if !upgrades.isEmpty { serveUpgrades() }
        finishEndedExchanges()
        for handle in races.takeStalled() { handle.runSoon() }
        flushReceivedBytes()
        endWaiting()
        resumeCallers()
    }

    /// Gives libcurl the time that it asked for.
    func actOnTimers() {
        guard let due = curlDeadline, due <= now else { return }
        curlDeadline = nil
        multi.actOnTimers()
    }

    func millisecondsToNextDeadline() -> Int32 {
        if upgrades.hasUnread || hasMoreToDo { return 0 }
        let connecting = LoopTime.earlier(upgrades.connectDeadline, races.deadline)
        let next = LoopTime.earlier(curlDeadline, .earlier(deadlines.next, connecting))
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
        var count = 0
        hasMoreEnded = false
        while let (handle, code) = multi.nextFinished() {
            guard let exchange = handle.exchange else { continue }
            remove(exchange, outcome: code)
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
        // An exchange that goes on brings what libcurl held back, which is not left lying while the loop sleeps.
        while !unflushed.isEmpty {
            let due = unflushed
            unflushed.removeAll(keepingCapacity: true)
            for exchange in due where exchange.flush() { resume(exchange, after: .reader) }
        }
    }

    /// Takes an exchange off libcurl; with an outcome, it has ended by itself and reports it.
    func remove(_ exchange: Exchange, outcome: CURLcode? = nil) {
        guard let handle = exchange.handle else { return }
        if let outcome { exchange.conclude(with: outcome) }
        exchange.recordMetrics()
        if exchange.metrics.protocolVersion == .http2, sharedOrigin != exchange.request.url.origin {
            sharedOrigin = exchange.request.url.origin
        }
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
        probeEnded(exchange)
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
