#if os(Linux)
import CLinux
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore
import GodwitSupport

/// One thread that drives any number of exchanges, and runs tasks that prefer it. Other threads reach it through the ``Inbox``.
final class EventLoop: Sendable {
    let inbox: Inbox<Command>
    /// `nil` unless turns are measured.
    let meter: TurnMeter?

    /// Starts the thread. It ends after a command to shut down.
    ///
    /// - Parameter onFirstKept: Called once, on the thread, when the first connection is kept.
    init(_ settings: LoopSettings, onFirstKept: (@Sendable () -> Void)? = nil) throws(NetworkError) {
        meter = settings.configuration.measuresTurns ? TurnMeter() : nil
        guard let inbox = Inbox<Command>(), let poller = Poller(), poller.add(inbox.signal, Bell()) else {
            throw NetworkError(.transport(.tooManyOpenFiles), phase: .connecting)
        }
        self.inbox = inbox
        // The thread's from now on.
        nonisolated(unsafe) let threadPoller = poller
        guard let thread = SystemThread(stackSize: nil, { [self] in run(settings, threadPoller, onFirstKept) }) else {
            throw NetworkError(.transport(.other("no thread for an event loop")), phase: .connecting)
        }
        thread.detach()
    }

    private func run(_ settings: LoopSettings, _ poller: Poller, _ onFirstKept: (@Sendable () -> Void)?) {
        Self.blockBrokenPipeSignal()
        godwit_name_thread("godwit-loop")
        let engine = Engine(settings, inbox, poller, onFirstKept: onFirstKept)
        var commands = Commands()
        meter?.beginTurn()
        engine.work.beginTurn()
        repeat {
            repeat {
                drainInbox(&commands, into: engine)
                waitAndServe(engine, poller, hasMore: !commands.isEmpty)
            } while !engine.isFinished || !commands.isEmpty
            // A command may have arrived meanwhile; it is handled before the inbox closes.
        } while !inbox.closeIfEmpty()
        poller.remove(inbox.signal)
        engine.tearDown()
    }

    /// Handles posted commands. Tasks on the loop post more immediately, so the inbox is checked a few times before the kernel
    /// is asked for events: such a task then needs one wait per exchange.
    private func drainInbox(_ commands: inout Commands, into engine: Engine) {
        for round in 0..<4 {
            // Work that is left over comes first.
            if round > 0, engine.hasMoreToDo || !commands.isEmpty || !engine.work.budget.hasTime(for: .ends) { return }
            commands.refill(from: inbox)
            if commands.isEmpty { return }
            while let command = commands.next() {
                handle(command, engine)
                if commands.handled % 8 == 0, !engine.work.budget.hasTime(for: .starts) { break }
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
        case .addresses(let name, let addresses): engine.found(addresses, for: name)
        case .count(let done): done.resume(returning: engine.connectionCounts)
        case .shutDown(let mode, let done): engine.shutDown(mode, done: done)
        }
    }

    private func waitAndServe(_ engine: Engine, _ poller: Poller, hasMore: Bool) {
        guard !engine.isFinished else { return }
        meter?.endTurn()
        let sleeps = !hasMore && inbox.prepareToSleep()
        let timeout = sleeps ? engine.nextTurn?.milliseconds(after: engine.now) ?? -1 : 0
        poller.wait(milliseconds: timeout) {
            inbox.wake()
            meter?.beginTurn()
            engine.work.beginTurn()
        }
        engine.finishTurn()
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
