#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// Moves exchanges from their start to their end, a turn of the event loop at a time. Used by the thread that has the turn.
///
/// What waits for what is in four parts: ``Starts``, ``Ends``, ``Streams`` and ``Connections``.
final class Engine {
    let resources: ExchangeResources
    let loop: EventLoop
    @exclusivity(unchecked) var handles: HandlePool
    @exclusivity(unchecked) var starts = Starts()
    @exclusivity(unchecked) var ends = Ends()
    @exclusivity(unchecked) var streams: Streams
    let connections: Connections
    let upgrades: Upgrades
    /// How many exchanges in a row started while no other was under way.
    @exclusivity(unchecked) private var startsAlone = 0
    @exclusivity(unchecked) var pace: AnswerPace

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
        pace = AnswerPace(soon: configuration.answerWait)
        handles = HandlePool(resources)
        streams = Streams(areNamedByHandle: configuration.features.namesStreamsByHandle)
        connections = Connections(
            resources, onAddresses: { [loop] in loop.post(.addresses($0, $1)) }, onFirstKept: onFirstKept)
        upgrades = Upgrades(poller)
        observeStreams()
    }

    var budget: TurnBudget { resources.budget }
    var now: LoopTime { resources.now }

    /// Whether the loop may end: it was shut down and nothing is under way.
    var isFinished: Bool {
        ends.isShutDown && connections.active.isEmpty && upgrades.isEmpty && starts.isEmpty && ends.isEmpty
    }

    /// Whether exchanges come one at a time: then callers run the engine while the loop sleeps. With several under way, the
    /// threads would wait for each other.
    var servesOneAtATime: Bool { startsAlone >= Self.startsToBeSure && connections.active.isEmpty }

    private static let startsToBeSure = 4

    /// An exchange is about to start.
    func noteStart() {
        let isAlone = connections.active.isEmpty
        startsAlone = isAlone ? min(startsAlone + 1, Self.startsToBeSure) : 0
        pace.started(at: now, isAlone: isAlone)
    }

    /// Counts the connections and the exchanges that have none yet.
    var connectionCounts: ConnectionCounts {
        var counts = connections.counts
        starts.forEach { _ in counts.waiting += 1 }
        return counts
    }

    /// The network path changed.
    func pathChanged() {
        fail(connections.pathChanged())
    }

    func foundAddresses(_ addresses: [SocketAddress], for name: HostAndPort) {
        connections.races.found(addresses, for: name, at: now)
    }

    func shutDown(_ mode: ShutdownMode, done: UnsafeContinuation<Void, Never>?) {
        ends.shutDown(done)
        if mode == .cancelling { cancelAll() }
    }

    /// Frees everything; the loop has ended.
    func tearDown() {
        handles.free()
        connections.free()
        godwit_observe_streams(nil, nil, nil, nil)
        ends.finishShutdown()
    }

    /// Does what an exchange's event led to.
    func perform(_ effects: ExchangeEffects, of exchange: Exchange) {
        if effects.isEmpty { return }
        if effects.contains(.noteDeadline) { ends.note(exchange.deadline) }
        if effects.contains(.advance) { advance(exchange) }
        if effects.contains(.flush) { streams.noteUnflushed(exchange) }
        guard let handle = exchange.handle else { return }
        if effects.contains(.readLargeHead) { streams.noteLargeHead(of: handle) }
        if effects.contains(.abandonConnection) { connections.abandon(handle) }
    }

    // MARK: A turn

    /// The loop woke up.
    func beginTurn() {
        resources.clock.pointee = .current()
        resources.budget.beginTurn(at: now)
    }

    /// Serves ready descriptors while the turn has time; the kernel reports the rest again.
    ///
    /// New connections come last: a TLS handshake costs more than most exchanges, and a hundred of them would hold up every
    /// response.
    ///
    /// - Parameter mayBeOver: Whether some descriptors may not be ready any more.
    func serveReady(_ count: Int, except signal: Int32, mayBeOver: Bool) {
        let races = connections.races
        var served = 0
        var handshakes: [(descriptor: Int32, events: UInt32)] = []
        resources.poller.reportReady(count) { descriptor, events in
            if descriptor == signal { return true }
            if !races.isEmpty, races.take(descriptor, at: now) { return true }
            if !races.isEmpty, races.isConnecting(descriptor) {
                handshakes.append((descriptor, events))
                return true
            }
            serve(descriptor, events)
            served += 1
            return served % 4 != 0 || budget.hasTime(for: .events)
        } _: { descriptor, events in
            // A response that was read meanwhile, for example. The kernel reports again that a connection has ended.
            if mayBeOver { return }
            guard let (exchange, code) = connections.serveUnwatched(descriptor, events) else { return }
            remove(exchange, outcome: code)
        }
        for (descriptor, events) in handshakes {
            serve(descriptor, events)
            races.served(descriptor)
            guard budget.hasTime(for: .events) else { break }
        }
    }

    func serve(_ descriptor: Int32, _ events: UInt32) {
        let selection = Self.selection(for: events)
        if events & godwit_epoll_in != 0 { connections.http3.received(on: descriptor) }
        if let connection = upgrades.owner(of: descriptor) {
            connection.serve(descriptor, selection)
            settle(connection)
        } else {
            connections.serve(descriptor, selection)
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

    /// Does what follows commands or events: libcurl's timers, ended exchanges, received bytes, deadlines.
    func finishTurn() {
        // Read once for everything that is served next.
        resources.clock.pointee = .current()
        connections.maintain()
        startWaiting()
        connections.multis.actOnTimers(dueAt: now)
        connections.races.serveTimers(at: now) { budget.hasTime(for: .starts) }
        readLargeHeads()
        if !upgrades.isEmpty { serveUpgrades() }
        finishEndedExchanges()
        endAnsweredEarly()
        for handle in connections.races.takeStalled() { handle.runSoon() }
        decodeWaiting()
        flushReceivedBytes()
        endWaiting()
        ends.resumeCallers()
        connections.multis.freeRetired()
    }

    /// Whether the next turn has to start without waiting for events.
    var hasMoreToDo: Bool {
        starts.isReady || !ends.isEmpty || ends.hasMoreEnded || streams.hasUndecoded
            || starts.hasUntrusted && !resources.trust.isMissing(at: now)
    }

    /// When the next turn has to start, unless an event makes it start earlier; nil for never.
    var nextTurn: LoopTime? {
        if upgrades.hasUnread || hasMoreToDo { return now }
        return .earlier(
            resources.poller.returnTime,
            .earlier(connections.deadline, .earlier(ends.nextScan, upgrades.connectDeadline)))
    }
}
#endif
