import CGodwitCurl
import GodwitCore
import Synchronization

/// What callers on any thread ask of an event loop.
enum Command: Sendable {
    case start(Exchange)
    case cancel(Exchange)
    /// The reader of a streamed response wants more.
    case resumeReceiving(Exchange)
    /// The source of a streamed upload has more.
    case resumeSending(Exchange)
    /// Something of a connection that switched protocols, by its number.
    case duplex(Int, DuplexCommand)
    /// A piece of a task that runs on the loop.
    case run(UnownedJob)
    /// The network path is another.
    case pathChanged
    /// End; `done` is called once nothing is left. Nil: nobody waits.
    case shutDown(ShutdownMode, done: UnsafeContinuation<Void, Never>?)
}

/// Hands commands to an event loop's thread: one lock, and a wake-up only where the thread sleeps.
///
/// Commands are handled in the order in which they were given, so that a cancellation can overtake nothing.
final class Inbox: Sendable {
    private struct State {
        var commands: [Command] = []
        var isSleeping = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal: Int32

    init(signal: Int32) {
        self.signal = signal
    }

    /// Adds a command; false where the loop has ended and will never see it.
    func post(_ command: Command) -> Bool {
        let (isAccepted, wakes) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.commands.append(command)
            defer { state.isSleeping = false }
            return (true, state.isSleeping)
        }
        if wakes { godwit_signal(signal) }
        return isAccepted
    }

    /// Moves the waiting commands into an empty array.
    func take(into commands: inout [Command]) {
        state.withLock { swap(&$0.commands, &commands) }
    }

    /// Whether the thread may sleep: from now on a command wakes it.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isSleeping = state.commands.isEmpty
            return state.isSleeping
        }
    }

    /// The thread is awake and looks again before it sleeps, so commands need not wake it.
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
