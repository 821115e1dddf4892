#if os(Linux)
import CLinux
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore
import GodwitTLS
import Synchronization

/// A command to an event loop, from any thread.
enum Command: Sendable {
    case start(Exchange)
    case cancel(Exchange)
    /// The reader of a streamed response accepts more.
    case resumeReceiving(Exchange)
    /// The source of a streamed upload has more.
    case resumeSending(Exchange)
    /// A step of an exchange's decoder was done on another thread.
    case decoded(Exchange)
    /// A command to a connection that switched protocols, by its number.
    case duplex(Int, DuplexCommand)
    /// A job of a task that runs on the loop.
    case run(UnownedJob)
    /// The network path changed.
    case pathChanged
    /// The certificates to trust were read again.
    case trust(TrustStores)
    /// Counts connections, for metrics.
    case count(UnsafeContinuation<ConnectionCounts?, Never>)
    /// The addresses of a host were looked up.
    case addresses(HostAndPort, [SocketAddress])
    /// Ends the loop; `done` is resumed when nothing is left to do.
    case shutDown(ShutdownMode, done: UnsafeContinuation<Void, Never>?)
}

/// Commands that a loop took from its inbox and handles one by one, in several turns if there are many.
struct Commands {
    private var commands: [Command] = []
    /// How many of them were handled.
    private(set) var handled = 0

    var isEmpty: Bool { handled == commands.count }

    /// Takes what waits in the inbox, once all from before are handled.
    mutating func refill(from inbox: Inbox) {
        guard isEmpty else { return }
        commands.removeAll(keepingCapacity: true)
        handled = 0
        inbox.take(into: &commands)
    }

    mutating func next() -> Command? {
        guard handled < commands.count else { return nil }
        defer { handled += 1 }
        return commands[handled]
    }
}

/// Passes commands to an event loop's thread: one lock, and a wake-up only if the thread sleeps.
///
/// Commands are handled in the order in which they were posted, so that a cancellation follows its exchange.
final class Inbox: Sendable {
    private struct State {
        var commands: [Command] = []
        var isSleeping = false
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Wakes the thread.
    let signal: Int32

    /// `nil` if the system has no descriptor left.
    init?() {
        signal = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if signal < 0 { return nil }
    }

    deinit {
        if signal >= 0 { close(signal) }
    }

    /// Adds a command; `false` if the loop has ended.
    func post(_ command: Command) -> Bool {
        let (isAccepted, wakes) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(command)
            defer { state.isSleeping = false }
            return (true, state.isSleeping)
        }
        if wakes { eventfd_write(signal, 1) }
        return isAccepted
    }

    /// Moves the waiting commands into an empty array.
    func take(into commands: inout [Command]) {
        state.withLock { swap(&$0.commands, &commands) }
    }

    /// Whether the thread may sleep. If so, a command wakes it from now on.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isSleeping = state.commands.isEmpty
            return state.isSleeping
        }
    }

    /// The thread is awake and checks the inbox before it sleeps, so commands need not wake it.
    func wake() {
        state.withLock { $0.isSleeping = false }
    }

    /// Refuses further commands, unless some wait to be handled first.
    func close() -> Bool {
        state.withLock { state in
            state.isClosed = state.commands.isEmpty
            return state.isClosed
        }
    }

    private func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
}
#endif
