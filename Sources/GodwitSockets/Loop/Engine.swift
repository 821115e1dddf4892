#if os(Linux)
import GodwitCore
import GodwitTLS

/// Moves exchanges from their start to their end, a turn of the event loop at a time. Used in the loop's turn.
///
/// The values decide (``Pool``, ``ExchangeState``, ``BodyFlow``), and the engine carries out what they say.
final class Engine {
    let settings: LoopSettings
    let inbox: Inbox<EngineCommand>
    let poller: Poller
    /// A buffer that every read uses.
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    let writeBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 68 << 10, alignment: 16)
    @exclusivity(unchecked) private var writer: HeadWriter? = HeadWriter(capacity: 4096)
    @exclusivity(unchecked) var work = ExchangeWork()
    private(set) lazy var resources = ExchangeResources(
        streamBuffer: settings.configuration.streamBuffer, inbox, self)

    // Exchanges
    /// Exchanges that wait for a connection, by the group of their route; and how many of them have not ended.
    @exclusivity(unchecked) var waiting: [Line<Exchange>] = []
    @exclusivity(unchecked) var waitingCounts: [Int] = []
    /// Exchanges that wait for the trusted certificates.
    @exclusivity(unchecked) var untrusted = Line<Exchange>()
    /// Exchanges that have to end, as many in each turn as it has time for.
    @exclusivity(unchecked) var ending = Line<(exchange: Exchange, kind: NetworkError.Kind)>()

    // Connections
    @exclusivity(unchecked) var pool: Pool
    @exclusivity(unchecked) var routes: Routes
    /// By their numbers in the pool.
    @exclusivity(unchecked) var connections: [Int: any PooledConnection] = [:]
    @exclusivity(unchecked) var dials: [Int: DialRecord] = [:]
    /// Dials that nothing waits for any more.
    @exclusivity(unchecked) var unwanted = Line<Dial>()
    @exclusivity(unchecked) var trust: LoopTrust
    @exclusivity(unchecked) var names = NameCache()
    @exclusivity(unchecked) var upgraded: [Int: UpgradedConnection] = [:]
    @exclusivity(unchecked) var lastUpgrade = 0
    /// Dials whose peers answered, and what is to be read or sent in the next turn.
    @exclusivity(unchecked) var shaking: [Dial] = []
    @exclusivity(unchecked) var unread: [any PooledConnection] = []
    @exclusivity(unchecked) var unsent: [any PooledConnection] = []
    @exclusivity(unchecked) var unreadUpgrades: [UpgradedConnection] = []
    @exclusivity(unchecked) var alarms: [(due: LoopTime, action: () -> Void)] = []
    @exclusivity(unchecked) var nextSweep: LoopTime?

    // Callers that are alone
    /// When the loop wakes if nothing happens; `nil` for never.
    @exclusivity(unchecked) var wakeUp: LoopTime?
    /// The connection for which callers wait.
    @exclusivity(unchecked) var held: Socket?
    /// Called once, when the first connection is kept.
    private var onFirstKept: (@Sendable () -> Void)?

    private(set) var isShutDown = false
    private var shutdownWaiters: [UnsafeContinuation<Void, Never>] = []

    init(
        _ settings: LoopSettings, _ inbox: Inbox<EngineCommand>, _ poller: Poller, onFirstKept: (@Sendable () -> Void)?
    ) {
        self.settings = settings
        self.inbox = inbox
        self.poller = poller
        self.onFirstKept = onFirstKept
        let configuration = settings.configuration
        var limits = Pool.Limits(perHost: configuration.connectionsPerHost)
        limits.total = max(1, configuration.maximumConnections ?? .max)
        limits.idle = max(0, configuration.maximumIdleConnections)
        limits.idleTime = configuration.connections.idleTimeout.map(TimeLimits.nanoseconds)
        limits.lifetime = configuration.connections.maximumLifetime.map(TimeLimits.nanoseconds)
        pool = Pool(limits)
        routes = Routes(settings)
        trust = LoopTrust(settings) { [inbox] in inbox.post(.trust($0)) }
    }

    deinit {
        readBuffer.deallocate()
        writeBuffer.deallocate()
    }

    /// Whether the loop may end: it was shut down and nothing is under way.
    var isFinished: Bool { isShutDown && work.isEmpty && upgraded.isEmpty && ending.isEmpty }

    /// Counts the connections and the exchanges that have none yet.
    var connectionCounts: ConnectionCounts {
        ConnectionCounts(
            open: pool.connections.count, idle: pool.idleCount,
            waiting: work.active.reduce(0) { $0 + ($1.state.isWaiting ? 1 : 0) })
    }

    func shutDown(_ mode: ShutdownMode, done: UnsafeContinuation<Void, Never>?) {
        isShutDown = true
        if let done { shutdownWaiters.append(done) }
        guard mode == .cancelling else { return }
        for exchange in work.active { end(exchange, .cancelled) }
        for connection in Array(upgraded.values) { connection.cancel() }
    }

    /// Frees everything; the loop has ended.
    func tearDown() {
        for record in dials.values { record.dial.cancel() }
        dials = [:]
        held = nil
        while let dial = unwanted.popFirst() { dial.cancel() }
        for connection in Array(connections.values) { connection.close(nil) }
        alarms = []
        for waiter in shutdownWaiters { waiter.resume() }
        shutdownWaiters = []
    }

    /// The first connection is kept: from now on the network path matters.
    func noteKept() {
        onFirstKept.take()?()
    }

    func writing(_ body: (inout HeadWriter) -> Void) {
        var writer = self.writer.take() ?? HeadWriter()
        body(&writer)
        writer.removeAll()
        self.writer = writer
    }

    // MARK: A turn

    /// Does what follows commands or events.
    func finishTurn() {
        serveAlarms()
        serveUnread()
        shakeHands()
        startTrusted()
        decodeWaiting()
        flushReceived()
        endDue()
        cancelUnwanted()
        sweep()
        sendAll()
        resumeCallers()
    }

    /// Whether the next turn has to start without waiting for events.
    var hasMoreToDo: Bool {
        work.hasMoreToDo || !shaking.isEmpty || !unread.isEmpty || !unreadUpgrades.isEmpty || !ending.isEmpty
            || !unsent.isEmpty || !unwanted.isEmpty
    }

    /// When the next turn has to start, unless an event makes it start earlier; `nil` for never.
    var nextTurn: LoopTime? {
        if hasMoreToDo { return now }
        var next = LoopTime.earlier(work.nextScan, nextSweep)
        if let end = work.pace.expectsCallers, end > now { next = .earlier(next, end) }
        for alarm in alarms { next = .earlier(next, alarm.due) }
        return next
    }

    private func sendAll() {
        while !unsent.isEmpty {
            let due = unsent
            unsent.removeAll(keepingCapacity: true)
            for connection in due { connection.send() }
        }
    }

    // MARK: Alarms

    /// Calls back once, when the time has come.
    func call(at time: LoopTime, _ action: @escaping () -> Void) {
        alarms.append((time, action))
    }

    private func serveAlarms() {
        guard !alarms.isEmpty else { return }
        let due = alarms.filter { $0.due <= now }
        guard !due.isEmpty else { return }
        alarms.removeAll { $0.due <= now }
        for alarm in due { alarm.action() }
    }

    private func serveUnread() {
        if !unread.isEmpty {
            let due = unread
            unread.removeAll(keepingCapacity: true)
            for connection in due { connection.serveAgain() }
        }
        guard !unreadUpgrades.isEmpty else { return }
        let due = unreadUpgrades
        unreadUpgrades = []
        for connection in due { connection.serve() }
    }

    /// Continues handshakes while the turn has time: a TLS handshake costs more than most exchanges, and a hundred of them would
    /// hold up every response.
    private func shakeHands() {
        var served = 0
        while served < shaking.count {
            shaking[served].proceed()
            served += 1
            if !work.budget.hasTime(for: .starts) { break }
        }
        shaking.removeFirst(served)
    }
}
#endif
