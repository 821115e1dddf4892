#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets
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
    /// The certificates to trust were read again; nil if libcurl reads them itself.
    case trust(TrustStores?)
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
        /// Whether a caller with the turn waits for an answer, and has to leave it to others.
        var callerWaits = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal: Int32
    /// Ends a caller's wait.
    private let bell: Int32

    init(signal: Int32, bell: Int32) {
        self.signal = signal
        self.bell = bell
    }

    /// Adds a command; false if the loop has ended.
    func post(_ command: Command) -> Bool {
        let (isAccepted, wakes, callerWaits) = state.withLock { state -> (Bool, Bool, Bool) in
            guard !state.isClosed else { return (false, false, false) }
            state.commands.append(command)
            defer { state.isSleeping = false }
            return (true, state.isSleeping, state.callerWaits)
        }
        if callerWaits { godwit_signal(bell) }
        if wakes { godwit_signal(signal) }
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

    /// Whether the thread sleeps, and nothing waits for it.
    var isSleeping: Bool { state.withLock { $0.isSleeping } }

    /// A caller with the turn is about to wait. False if a command is there already.
    func beginCallersWait() -> Bool {
        state.withLock { state in
            state.callerWaits = state.isSleeping
            return state.callerWaits
        }
    }

    func endCallersWait() {
        state.withLock { $0.callerWaits = false }
    }

    /// Wakes the thread if it sleeps.
    func rouse() {
        let wakes = state.withLock { state in
            defer { state.isSleeping = false }
            return state.isSleeping
        }
        if wakes { godwit_signal(signal) }
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
}
#endif
