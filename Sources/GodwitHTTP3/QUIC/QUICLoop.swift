#if os(Linux)
import CLinux
import GodwitCore
import GodwitSockets
import GodwitSupport
import GodwitTLS

/// A command to the loop, from any thread.
enum QUICCommand: LoopCommand {
    case start(Exchange, QUICAttempt)
    case cancel(Exchange)
    /// TCP has it.
    case giveUp(Exchange)
    case resumeReceiving(Exchange)
    case resumeSending(Exchange)
    case decoded(Exchange)
    /// The certificates to trust were read again.
    case trust(TrustStores)
    case pathChanged
    case count(UnsafeContinuation<ConnectionCounts?, Never>)
    case shutDown(ShutdownMode, done: UnsafeContinuation<Void, Never>?)
}

/// What a loop is made with.
struct QUICSettings: Sendable {
    let configuration: SocketConfiguration
    let rules: LoadedRules?
    let services: AlternativeServices
    let origins: QUICOrigins
    /// Called when a connection is made.
    let onConnected: @Sendable () -> Void
}

/// The thread that drives all exchanges over QUIC.
final class QUICLoop: Sendable {
    let inbox: Inbox<QUICCommand>

    /// Starts the thread. It ends after a command to shut down.
    init(_ settings: QUICSettings) throws(NetworkError) {
        guard let inbox = Inbox<QUICCommand>(), let poller = QUICPoller(inbox.signal) else {
            throw NetworkError(.transport(.tooManyOpenFiles), phase: .connecting)
        }
        self.inbox = inbox
        // The thread's from now on.
        nonisolated(unsafe) let threadPoller = poller
        guard let thread = SystemThread(stackSize: nil, { [self] in run(settings, threadPoller) }) else {
            throw NetworkError(.transport(.other("no thread for QUIC")), phase: .connecting)
        }
        thread.detach()
    }

    /// Sends an exchange, and returns when its outcome is there.
    func perform(_ exchange: Exchange, _ attempt: QUICAttempt) async {
        await inbox.perform(exchange, by: .start(exchange, attempt))
    }

    private func run(_ settings: QUICSettings, _ poller: QUICPoller) {
        godwit_name_thread("godwit-quic")
        let engine = QUICEngine(settings, inbox, poller)
        var commands: [QUICCommand] = []
        repeat {
            engine.work.beginTurn()
            inbox.take(into: &commands)
            for command in commands { handle(command, engine) }
            commands.removeAll(keepingCapacity: true)
            engine.finishTurn()
            let timeout = inbox.prepareToSleep() ? engine.nextTurn?.milliseconds(after: engine.now) ?? -1 : 0
            if engine.isFinished { continue }
            poller.wait(milliseconds: timeout) {
                inbox.wake()
                engine.work.beginTurn()
            }
        } while !engine.isFinished || !inbox.closeIfEmpty()
        engine.tearDown()
    }

    private func handle(_ command: QUICCommand, _ engine: QUICEngine) {
        switch command {
        case .start(let exchange, let attempt): engine.start(exchange, attempt)
        case .cancel(let exchange): engine.cancel(exchange)
        case .giveUp(let exchange): engine.giveUp(exchange)
        case .resumeReceiving(let exchange): engine.resumeReceiving(exchange)
        case .resumeSending(let exchange): engine.resumeSending(exchange)
        case .decoded(let exchange): engine.decoded(exchange)
        case .trust(let stores): _ = engine.trust.loader.loaded(stores, at: engine.now)
        case .pathChanged: engine.retire()
        case .count(let done): done.resume(returning: engine.connectionCounts)
        case .shutDown(let mode, let done): engine.shutDown(mode, done: done)
        }
    }
}
#endif
