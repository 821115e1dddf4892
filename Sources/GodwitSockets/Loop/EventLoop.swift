#if os(Linux)
import CLinux
import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// One thread that drives any number of exchanges, and runs tasks that prefer it. Other threads reach it through the ``Inbox``.
///
/// The engine is used by the thread that has the turn: the loop's while it is awake, and that of a caller which is alone while the
/// loop sleeps (decision 118).
final class EventLoop: Sendable {
    let inbox: Inbox<EngineCommand>
    /// `nil` unless turns are measured.
    let meter: TurnMeter?
    private let turn: Mutex<Turn>
    // Used on the loop's thread alone.
    nonisolated(unsafe) private let wait: PollWait

    private struct Turn {
        let engine: Engine
        var commands = Commands()
    }

    /// Starts the thread. It ends after a command to shut down.
    ///
    /// - Parameter onFirstKept: Called once, on the thread that has the turn, when the first connection is kept.
    init(_ settings: LoopSettings, onFirstKept: (@Sendable () -> Void)? = nil) throws(NetworkError) {
        meter = settings.configuration.measuresTurns ? TurnMeter() : nil
        guard let inbox = Inbox<EngineCommand>(), let poller = Poller(), poller.add(inbox.signal, Bell()) else {
            throw NetworkError(.transport(.tooManyOpenFiles), phase: .connecting)
        }
        self.inbox = inbox
        wait = poller.makeWait()
        turn = Mutex(Turn(engine: Engine(settings, inbox, poller, onFirstKept: onFirstKept)))
        guard let thread = SystemThread(stackSize: nil, { [self] in run() }) else {
            throw NetworkError(.transport(.other("no thread for an event loop")), phase: .connecting)
        }
        thread.detach()
    }

    private func run() {
        Self.blockBrokenPipeSignal()
        godwit_name_thread("godwit-loop")
        repeat {
            while let limit = turn.withLock({ serve(&$0) }) { wait.wait(milliseconds: limit) }
            // A command may have arrived meanwhile; it is handled before the inbox closes.
        } while !inbox.closeIfEmpty()
        turn.withLock { turn in
            turn.engine.poller.remove(inbox.signal)
            turn.engine.tearDown()
        }
    }

    /// Serves what a wait found, and then commands. Returns how many milliseconds the thread may wait; `nil` if it has ended.
    private func serve(_ turn: inout Turn) -> Int32? {
        let engine = turn.engine
        inbox.wake()
        meter?.beginTurn()
        engine.work.beginTurn()
        engine.poller.report(wait)
        engine.letGoIfDue()
        engine.finishTurn()
        drainInbox(&turn.commands, into: engine)
        guard !engine.isFinished || !turn.commands.isEmpty else { return nil }
        meter?.endTurn()
        guard turn.commands.isEmpty, inbox.prepareToSleep(givesTurn: engine.givesTurn) else { return 0 }
        engine.wakeUp = engine.nextTurn
        return engine.wakeUp?.milliseconds(after: engine.now) ?? -1
    }

    /// Starts an exchange on its caller's thread, which is alone, and may wait for the answer there. Returns `false` if the loop has
    /// to start it.
    func runAlone(_ exchange: Exchange) -> Bool {
        guard inbox.offersTurn, exchange.mayRunAlone else { return false }
        return turn.withLockIfAvailable { $0.engine.runAlone(exchange) } ?? false
    }

    /// Handles posted commands. Tasks on the loop post more immediately, so the inbox is checked a few times before the kernel
    /// is asked for events: such a task then needs one wait per exchange.
    private func drainInbox(_ commands: inout Commands, into engine: Engine) {
        for round in 0..<4 {
            // Work that is left over comes first.
            if round > 0, engine.hasMoreToDo || !commands.isEmpty || !engine.work.budget.hasTime(for: .ends) { return }
            commands.refill(from: inbox)
            if commands.isEmpty { return }
            engine.letGo()
            while let command = commands.next() {
                handle(command, engine)
                if commands.handled % 8 == 0, !engine.work.budget.hasTime(for: .starts) { break }
            }
            engine.finishTurn()
        }
    }

    private func handle(_ command: EngineCommand, _ engine: Engine) {
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
        case .addresses(let name, let addresses): engine.found(addresses, for: name)
        case .count(let done): done.resume(returning: engine.connectionCounts)
        case .shutDown(let mode, let done): engine.shutDown(mode, done: done)
        }
    }

    /// Writing to a connection that the peer closed must not end the process.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Takes the signal that wakes the loop. Edge-triggered, it needs no read.
    private final class Bell: PollTarget {
        func ready(_ events: UInt32) {}
    }
}

extension EventLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A job has to run somewhere even after the loop has ended.
        if !inbox.post(.run(job)) { globalConcurrentExecutor.enqueue(job) }
    }
}
#endif
