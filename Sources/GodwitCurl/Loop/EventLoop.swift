#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets
import GodwitSupport

/// One thread that drives any number of exchanges, and runs tasks that prefer it.
///
/// Other threads reach the engine through the ``Inbox``, or, while the loop sleeps, by taking its ``EngineTurn``.
final class EventLoop: Sendable {
    private let inbox: Inbox
    private let turn = EngineTurn()
    private let epoll: Int32
    private let signal: Int32
    /// Ends the wait of a caller that has the turn.
    private let bell: Int32
    /// Nil unless turns are measured.
    let meter: TurnMeter?

    /// Starts the thread. It ends after ``shutDown(_:)``.
    ///
    /// - Parameter onFirstKept: Called once, on the thread, when the first connection is kept.
    init(
        _ configuration: CurlConfiguration, _ proxies: ProxyRules, _ rules: LoadedRules?,
        onFirstKept: (@Sendable () -> Void)? = nil
    ) throws(NetworkError) {
        meter = configuration.measuresTurns ? TurnMeter() : nil
        epoll = godwit_epoll_create()
        signal = godwit_eventfd_create()
        bell = godwit_eventfd_create()
        inbox = Inbox(signal: signal, bell: bell)
        guard epoll >= 0, signal >= 0, bell >= 0 else {
            throw NetworkError(.transport(.tooManyOpenFiles), phase: .connecting)
        }
        guard godwit_epoll_control(epoll, 0, signal, godwit_epoll_in | godwit_epoll_edge) == 0 else {
            throw NetworkError(.transport(.other("epoll refused its wake-up descriptor")), phase: .connecting)
        }
        let thread = SystemThread(stackSize: nil) { [self] in run(configuration, proxies, rules, onFirstKept) }
        guard let thread else {
            throw NetworkError(.transport(.other("no thread for an event loop")), phase: .connecting)
        }
        thread.detach()
    }

    deinit {
        if epoll >= 0 { close(epoll) }
        if signal >= 0 { close(signal) }
        if bell >= 0 { close(bell) }
    }

    /// Posts a command; false if the loop has ended.
    @discardableResult
    func post(_ command: Command) -> Bool {
        inbox.post(command)
    }

    /// Has a command carried out: by the calling thread if the loop sleeps and commands come one at a time, which saves a
    /// switch of threads (decision 097). False if the loop has ended.
    func perform(_ command: Command) -> Bool {
        guard CurlLibrary.features.writesWithoutSignals, turn.tryToBegin() else { return post(command) }
        guard let engine = turn.engine, engine.servesOneAtATime, inbox.isSleeping else {
            turn.end()
            return post(command)
        }
        turn.wasLent = true
        meter?.beginTurn()
        engine.beginTurn()
        handle(command, engine)
        engine.finishTurn()
        if case .start(let exchange) = command { awaitAnswer(to: exchange, engine) }
        engine.resources.poller.tellKernel()
        meter?.endLentTurn()
        // The loop sleeps on, unless it would wake up too late.
        let isDueEarlier = engine.nextTurn.map { due in turn.wakeUp.map { due < $0 } ?? true } ?? false
        turn.end()
        if isDueEarlier { inbox.rouse() }
        return true
    }

    /// Reads an answer that comes soon on the caller's thread: the loop sleeps on, and no thread is switched (decision 111).
    private func awaitAnswer(to exchange: Exchange, _ engine: Engine) {
        guard engine.pace.isQuick, inbox.beginCallersWait() else { return }
        defer { inbox.endCallersWait() }
        let end = engine.now + engine.pace.soon
        while exchange.isAwaited, let descriptor = engine.resources.poller.borrow() {
            let events = godwit_await_bytes(descriptor, bell, max(0, end.nanoseconds(after: .current())))
            guard events != 0 else { return engine.pace.missed() }
            engine.beginTurn()
            engine.serve(descriptor, events)
            engine.finishTurn()
        }
    }

    /// Counts the connections; `nil` if the loop has ended.
    func connectionCounts() async -> ConnectionCounts? {
        await withUnsafeContinuation { done in
            if !post(.count(done)) { done.resume(returning: nil) }
        }
    }

    /// Starts to end the loop, without waiting.
    func beginShutdown(_ mode: ShutdownMode) {
        post(.shutDown(mode, done: nil))
    }

    /// Ends the loop once its exchanges are over, and waits for that.
    func shutDown(_ mode: ShutdownMode) async {
        await withUnsafeContinuation { done in
            if !post(.shutDown(mode, done: done)) { done.resume() }
        }
    }

    private func run(
        _ configuration: CurlConfiguration, _ proxies: ProxyRules, _ rules: LoadedRules?,
        _ onFirstKept: (@Sendable () -> Void)?
    ) {
        Self.blockBrokenPipeSignal()
        godwit_name_thread("godwit-loop")
        turn.begin()
        defer { turn.end() }
        let engine = Engine(
            configuration, proxies, rules, loop: self, poller: Poller(epoll: epoll), onFirstKept: onFirstKept)
        turn.engine = engine
        var commands = Commands()
        repeat {
            repeat {
                drainInbox(&commands, into: engine)
                waitAndServe(engine, hasMore: !commands.isEmpty)
            } while !engine.isFinished || !commands.isEmpty
            // A command may have arrived meanwhile; it is handled before the inbox closes.
        } while !inbox.close()
        engine.tearDown()
        turn.engine = nil
    }

    /// Handles posted commands. Tasks on the loop post more immediately, so the inbox is checked a few times before the kernel
    /// is asked for events: such a task then needs one wait per exchange.
    private func drainInbox(_ commands: inout Commands, into engine: Engine) {
        for round in 0..<4 {
            // Work that is left over comes first.
            if round > 0, engine.hasMoreToDo || !commands.isEmpty || !engine.budget.hasTime(for: .ends) { return }
            commands.refill(from: inbox)
            if commands.isEmpty { return }
            while let command = commands.next() {
                handle(command, engine)
                if commands.handled % 8 == 0, !engine.budget.hasTime(for: .starts) { break }
            }
            engine.finishTurn()
        }
    }

    private func handle(_ command: Command, _ engine: Engine) {
        switch command {
        case .start(let exchange): engine.start(exchange)
        case .cancel(let exchange): engine.cancel(exchange)
        case .resumeReceiving(let exchange): engine.resumeReceiving(exchange)
        case .resumeSending(let exchange): engine.resumeSending(exchange)
        case .decoded(let exchange): engine.decoded(exchange)
        case .duplex(let id, let command): engine.perform(command, on: id)
        case .run(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .pathChanged: engine.pathChanged()
        case .trust(let stores): engine.trustLoaded(stores)
        case .addresses(let name, let addresses): engine.foundAddresses(addresses, for: name)
        case .count(let done): done.resume(returning: engine.connectionCounts)
        case .shutDown(let mode, let done): engine.shutDown(mode, done: done)
        }
    }

    private func waitAndServe(_ engine: Engine, hasMore: Bool) {
        guard !engine.isFinished else { return }
        meter?.endTurn()
        let poller = engine.resources.poller
        poller.takeBack(at: engine.now)
        poller.tellKernel()
        turn.wasLent = false
        let count = !hasMore && inbox.prepareToSleep() ? sleep(engine) : poller.wait(milliseconds: 0)
        meter?.beginTurn()
        engine.beginTurn()
        engine.serveReady(count, except: signal, mayBeOver: turn.wasLent)
        engine.finishTurn()
    }

    /// Waits for events, and leaves the turn to callers meanwhile. Returns the number of ready descriptors.
    private func sleep(_ engine: Engine) -> Int {
        turn.wakeUp = engine.nextTurn
        let timeout = turn.wakeUp?.milliseconds(after: engine.now) ?? -1
        let poller = engine.resources.poller
        let closed = poller.closedCount
        turn.end()
        let count = poller.wait(milliseconds: timeout)
        // First, so that no caller takes the turn while this thread waits for it.
        inbox.wake()
        turn.begin()
        // A descriptor that a caller closed may be another one's by now.
        return poller.closedCount == closed ? count : poller.wait(milliseconds: 0)
    }

    /// Writing to a connection that the peer closed must not end the process.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

extension EventLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A job has to run somewhere even after the loop has ended.
        if !post(.run(job)) { globalConcurrentExecutor.enqueue(job) }
    }
}

extension EventLoop: ExchangeMailbox {
    func resumeReceiving(_ exchange: Exchange) { post(.resumeReceiving(exchange)) }
    func resumeSending(_ exchange: Exchange) { post(.resumeSending(exchange)) }
    func cancel(_ exchange: Exchange) { post(.cancel(exchange)) }
}
#endif
