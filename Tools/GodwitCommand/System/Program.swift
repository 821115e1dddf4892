import Dispatch
import Godwit
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Synchronization

/// The process that runs a ``Command``: arguments, streams, signals and exit code.
public enum Program {
    /// Runs the command line of this process, then exits.
    public static func run() async -> Never {
        // A write to a closed pipe is an error to report; it must not kill the process.
        signal(SIGPIPE, SIG_IGN)
        var command = Command(
            input: StandardInput(), output: StandardOutput(descriptor: STDOUT_FILENO),
            errors: StandardOutput(descriptor: STDERR_FILENO))
        // The process runs one command, so reports of all stores belong to it.
        command.diagnostics = .shared
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Installed before the command starts, so that no signal is missed.
        let signals = [Interruption(SIGINT, .interrupted), Interruption(SIGTERM, .terminated)]
        let task = Task { [command] in await command.run(arguments) }
        for signal in signals { signal.cancels(task) }
        let code = await task.value
        exit((signals.lazy.compactMap(\.exitCode).first ?? code).rawValue)
    }
}

/// A signal that cancels a task. A second signal exits the process immediately.
private final class Interruption: Sendable {
    private struct State: Sendable {
        var isReceived = false
        var task: Task<ExitCode, Never>?
    }

    private let code: ExitCode
    private let state = Mutex(State())

    init(_ number: Int32, _ code: ExitCode) {
        self.code = code
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        // The handler retains its source, which therefore lives as long as the process.
        source.setEventHandler { [self] in withExtendedLifetime(source) { receive() } }
        source.activate()
    }

    /// The exit code for the signal; `nil` if it was not received.
    var exitCode: ExitCode? { state.withLock(\.isReceived) ? code : nil }

    /// Cancels the task when the signal is received, or now if it was received before.
    func cancels(_ task: Task<ExitCode, Never>) {
        let isReceived = state.withLock { state in
            state.task = task
            return state.isReceived
        }
        if isReceived { task.cancel() }
    }

    private func receive() {
        let (isSecond, task) = state.withLock { state in
            defer { state.isReceived = true }
            return (state.isReceived, state.task)
        }
        if isSecond { _exit(code.rawValue) }
        task?.cancel()
    }
}
