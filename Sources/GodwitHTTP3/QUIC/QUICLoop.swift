#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CLinux
import GodwitCore
import GodwitSockets
import GodwitSupport
import GodwitTLS
import Synchronization

/// A command to the loop, from any thread.
enum QUICCommand: Sendable {
    case start(Exchange, QUICAttempt)
    case cancel(Exchange)
    /// TCP has it.
    case giveUp(Exchange)
    case resumeReceiving(Exchange)
    case resumeSending(Exchange)
    /// A step of an exchange's decoder was done on another thread.
    case decoded(Exchange)
    /// The certificates to trust were read again.
    case trust(TrustStores)
    case pathChanged
    case count(UnsafeContinuation<ConnectionCounts?, Never>)
    /// Ends the loop; `done` is resumed when nothing is left to do.
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
    private struct State {
        var commands: [QUICCommand] = []
        var isSleeping = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal: Int32

    /// Starts the thread. It ends after ``shutDown(_:)``.
    init(_ settings: QUICSettings) throws(NetworkError) {
        signal = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard signal >= 0 else { throw NetworkError(.transport(.tooManyOpenFiles), phase: .connecting) }
        guard let thread = SystemThread(stackSize: nil, { [self] in run(settings) }) else {
            throw NetworkError(.transport(.other("no thread for QUIC")), phase: .connecting)
        }
        thread.detach()
    }

    deinit {
        if signal >= 0 { close(signal) }
    }

    /// Posts a command; `false` if the loop has ended. Commands are handled in the order in which they were posted.
    @discardableResult
    func post(_ command: QUICCommand) -> Bool {
        let (isAccepted, wakes) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(command)
            defer { state.isSleeping = false }
            return (true, state.isSleeping)
        }
        if wakes { eventfd_write(signal, 1) }
        return isAccepted
    }

    /// Sends an exchange, and returns when its outcome is there.
    func perform(_ exchange: Exchange, _ attempt: QUICAttempt) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                exchange.willAnswer(continuation)
                if !post(.start(exchange, attempt)) { exchange.failUnsent(.shutdown) }
            }
        } onCancel: {
            post(.cancel(exchange))
        }
    }

    /// Counts the connections; `nil` if the loop has ended.
    func connectionCounts() async -> ConnectionCounts? {
        await withUnsafeContinuation { done in
            if !post(.count(done)) { done.resume(returning: nil) }
        }
    }

    /// Ends the loop once its exchanges are over, and waits for that.
    func shutDown(_ mode: ShutdownMode) async {
        await withUnsafeContinuation { done in
            if !post(.shutDown(mode, done: done)) { done.resume() }
        }
    }

    private func run(_ settings: QUICSettings) {
        godwit_name_thread("godwit-quic")
        guard let poller = QUICPoller(signal) else { return refuseAll() }
        let engine = QUICEngine(settings, loop: self, poller: poller)
        repeat {
            engine.beginTurn()
            for command in takeCommands() { handle(command, engine) }
            engine.finishTurn()
            let timeout = prepareToSleep() ? engine.nextTurn?.milliseconds(after: engine.now) ?? -1 : 0
            if engine.isFinished { continue }
            poller.wait(milliseconds: timeout) {
                state.withLock { $0.isSleeping = false }
                engine.beginTurn()
            }
        } while !engine.isFinished || !close()
        engine.tearDown()
    }

    /// The system had no descriptor for the poller.
    private func refuseAll() {
        repeat {
            for command in takeCommands() {
                switch command {
                case .start(let exchange, _): exchange.failUnsent(.transport(.tooManyOpenFiles))
                case .count(let done): done.resume(returning: nil)
                case .shutDown(_, let done): done?.resume()
                default: break
                }
            }
        } while !close()
    }

    private func handle(_ command: QUICCommand, _ engine: QUICEngine) {
        switch command {
        case .start(let exchange, let attempt): engine.start(exchange, attempt)
        case .cancel(let exchange): engine.cancel(exchange)
        case .giveUp(let exchange): engine.giveUp(exchange)
        case .resumeReceiving(let exchange): engine.resumeReceiving(exchange)
        case .resumeSending(let exchange): engine.resumeSending(exchange)
        case .decoded(let exchange): engine.decoded(exchange)
        case .trust(let stores): engine.trust.loaded(stores, at: engine.now)
        case .pathChanged: engine.retire()
        case .count(let done): done.resume(returning: engine.connectionCounts)
        case .shutDown(let mode, let done): engine.shutDown(mode, done: done)
        }
    }

    private func takeCommands() -> [QUICCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Whether the thread may sleep. If so, a command wakes it from now on.
    private func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isSleeping = state.commands.isEmpty
            return state.isSleeping
        }
    }

    /// Refuses further commands, unless some wait to be handled first.
    private func close() -> Bool {
        state.withLock { state in
            state.isClosed = state.commands.isEmpty
            return state.isClosed
        }
    }

    private func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
}

extension QUICLoop: ExchangeMailbox {
    func resumeReceiving(_ exchange: Exchange) { post(.resumeReceiving(exchange)) }
    func resumeSending(_ exchange: Exchange) { post(.resumeSending(exchange)) }
    func cancel(_ exchange: Exchange) { post(.cancel(exchange)) }
}
#endif
