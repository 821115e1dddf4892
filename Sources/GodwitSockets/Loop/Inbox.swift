#if os(Linux)
import CLinux
package import GodwitCore
import GodwitLibc
import GodwitTLS
import Synchronization

/// A command that every loop takes, whatever carries its exchanges.
package protocol LoopCommand: Sendable {
    static func cancel(_ exchange: Exchange) -> Self
    /// The reader of a streamed response accepts more.
    static func resumeReceiving(_ exchange: Exchange) -> Self
    /// The source of a streamed upload has more.
    static func resumeSending(_ exchange: Exchange) -> Self
    /// A step of an exchange's decoder was done on another thread.
    static func decoded(_ exchange: Exchange) -> Self
    /// Counts connections, for metrics.
    static func count(_ done: UnsafeContinuation<ConnectionCounts?, Never>) -> Self
    /// Ends the loop; `done` is resumed when nothing is left to do.
    static func shutDown(_ mode: ShutdownMode, done: UnsafeContinuation<Void, Never>?) -> Self
}

/// A command to an event loop, from any thread.
enum EngineCommand: LoopCommand {
    case start(Exchange)
    case cancel(Exchange)
    case resumeReceiving(Exchange)
    case resumeSending(Exchange)
    case decoded(Exchange)
    /// A command to a connection that switched protocols, by its number.
    case duplex(Int, DuplexCommand)
    /// A job of a task that runs on the loop.
    case run(UnownedJob)
    /// The network path changed.
    case pathChanged
    /// The certificates to trust were read again.
    case trust(TrustStores)
    case count(UnsafeContinuation<ConnectionCounts?, Never>)
    /// The addresses of a host were looked up.
    case addresses(HostAndPort, [SocketAddress])
    case shutDown(ShutdownMode, done: UnsafeContinuation<Void, Never>?)
}

/// Commands that a loop took from its inbox and handles one by one, in several turns if there are many.
struct Commands {
    private var commands: [EngineCommand] = []
    /// How many of them were handled.
    private(set) var handled = 0

    var isEmpty: Bool { handled == commands.count }

    /// Takes what waits in the inbox, once all from before are handled.
    mutating func refill(from inbox: Inbox<EngineCommand>) {
        guard isEmpty else { return }
        commands.removeAll(keepingCapacity: true)
        handled = 0
        inbox.take(into: &commands)
    }

    mutating func next() -> EngineCommand? {
        guard handled < commands.count else { return nil }
        defer { handled += 1 }
        return commands[handled]
    }
}

/// Passes commands to a loop's thread: one lock, and a wake-up only if the thread sleeps.
///
/// Commands are handled in the order in which they were posted, so that a cancellation follows its exchange.
package final class Inbox<Command: LoopCommand>: Sendable {
    private struct State {
        var commands: [Command] = []
        var isSleeping = false
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Whether the thread sleeps, and its turn may be taken. No other memory depends on it.
    private let isTurnOffered = Atomic(false)
    /// Wakes the thread.
    package let signal: Int32

    /// `nil` if the system has no descriptor left.
    package init?() {
        signal = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if signal < 0 { return nil }
    }

    deinit {
        if signal >= 0 { close(signal) }
    }

    /// Adds a command; `false` if the loop has ended.
    @discardableResult
    package func post(_ command: Command) -> Bool {
        let (isAccepted, wakes) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(command)
            return (true, endSleep(&state))
        }
        if wakes { eventfd_write(signal, 1) }
        return isAccepted
    }

    /// Wakes the thread if it sleeps.
    func ring() {
        if state.withLock({ endSleep(&$0) }) { eventfd_write(signal, 1) }
    }

    /// Returns whether the thread slept. Its turn isn't offered from now on: what it wakes for comes first.
    private func endSleep(_ state: inout State) -> Bool {
        guard state.isSleeping else { return false }
        state.isSleeping = false
        isTurnOffered.store(false, ordering: .relaxed)
        return true
    }

    /// Whether the thread sleeps, and its turn may be taken.
    var offersTurn: Bool { isTurnOffered.load(ordering: .relaxed) }

    /// Takes a signal that has woken the thread already, for a caller that waits for it too.
    func silence() {
        state.withLock { state in
            // Otherwise the thread has yet to see it.
            guard state.isSleeping else { return }
            var count: eventfd_t = 0
            eventfd_read(signal, &count)
        }
    }

    // MARK: The loop's thread

    /// Moves the waiting commands into an empty array.
    package func take(into commands: inout [Command]) {
        state.withLock { swap(&$0.commands, &commands) }
    }

    /// Whether the thread may sleep. If so, a command wakes it from now on.
    ///
    /// - Parameter givesTurn: Whether callers may take the turn meanwhile.
    package func prepareToSleep(givesTurn: Bool = false) -> Bool {
        state.withLock { state in
            state.isSleeping = state.commands.isEmpty
            isTurnOffered.store(givesTurn && state.isSleeping, ordering: .relaxed)
            return state.isSleeping
        }
    }

    /// The thread is awake and checks the inbox before it sleeps, so commands need not wake it.
    package func wake() {
        state.withLock { _ = endSleep(&$0) }
    }

    /// Refuses further commands, unless some wait to be handled first.
    package func closeIfEmpty() -> Bool {
        state.withLock { state in
            state.isClosed = state.commands.isEmpty
            return state.isClosed
        }
    }
}

extension Inbox {
    /// Posts the command that starts an exchange, and returns when its outcome is there.
    ///
    /// - Parameter isTaken: Whether the exchange was started otherwise.
    package func perform(
        _ exchange: Exchange, by start: Command, unless isTaken: (Exchange) -> Bool = { _ in false }
    ) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                exchange.willAnswer(continuation)
                if !isTaken(exchange), !post(start) { exchange.failUnsent(.shutdown) }
            }
        } onCancel: {
            post(.cancel(exchange))
        }
    }

    /// Counts the connections; `nil` if the loop has ended.
    package func connectionCounts() async -> ConnectionCounts? {
        await withUnsafeContinuation { done in
            if !post(.count(done)) { done.resume(returning: nil) }
        }
    }

    /// Ends the loop once its exchanges are over, and waits for that.
    package func shutDown(_ mode: ShutdownMode) async {
        await withUnsafeContinuation { done in
            if !post(.shutDown(mode, done: done)) { done.resume() }
        }
    }
}

extension Inbox: ExchangeMailbox {
    package func cancel(_ exchange: Exchange) { post(.cancel(exchange)) }
    package func resumeReceiving(_ exchange: Exchange) { post(.resumeReceiving(exchange)) }
    package func resumeSending(_ exchange: Exchange) { post(.resumeSending(exchange)) }
    package func decoded(_ exchange: Exchange) { post(.decoded(exchange)) }
}
#endif
