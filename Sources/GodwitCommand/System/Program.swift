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

/// The process around a ``Command``: its arguments, streams, signals and exit code.
public enum Program {
    /// Runs the command line of this process, and ends the process.
    public static func run() async -> Never {
        // Writing to a pipe that nobody reads is an error to report, not a reason to die.
        signal(SIGPIPE, SIG_IGN)
        var command = Command(
            input: StandardInput(), output: StandardOutput(descriptor: STDOUT_FILENO),
            errors: StandardOutput(descriptor: STDERR_FILENO))
        // The process has one command: what any store reports is its own.
        command.diagnostics = .shared
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Before the command begins, so that no signal finds the process unprepared.
        let signals = [Interruption(SIGINT, .interrupted), Interruption(SIGTERM, .terminated)]
        let task = Task { [command] in await command.run(arguments) }
        for signal in signals { signal.cancels(task) }
        let code = await task.value
        exit((signals.lazy.compactMap(\.exitCode).first ?? code).rawValue)
    }
}

/// A signal that cancels a task; a second one ends the process at once.
private final class Interruption: Sendable {
    private struct State: Sendable {
        var hasCome = false
        var task: Task<ExitCode, Never>?
    }

    private let code: ExitCode
    private let state = Mutex(State())

    init(_ number: Int32, _ code: ExitCode) {
        self.code = code
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        // The handler holds its source, which thereby lives as long as the process.
        source.setEventHandler { [self] in withExtendedLifetime(source) { come() } }
        source.activate()
    }

    /// How the process should end because of it; nil where it has not come.
    var exitCode: ExitCode? { state.withLock(\.hasCome) ? code : nil }

    /// Cancels the task when the signal comes, or now where it has come already.
    func cancels(_ task: Task<ExitCode, Never>) {
        let hasCome = state.withLock { state in
            state.task = task
            return state.hasCome
        }
        if hasCome { task.cancel() }
    }

    private func come() {
        let (isSecond, task) = state.withLock { state in
            defer { state.hasCome = true }
            return (state.hasCome, state.task)
        }
        if isSecond { _exit(code.rawValue) }
        task?.cancel()
    }
}
