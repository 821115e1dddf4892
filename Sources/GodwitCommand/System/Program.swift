import Dispatch
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
        let command = Command(
            input: StandardInput(), output: StandardOutput(descriptor: STDOUT_FILENO),
            errors: StandardOutput(descriptor: STDERR_FILENO))
        let arguments = Array(Swift.CommandLine.arguments.dropFirst())
        let task = Task { await command.run(arguments) }
        let signals = [Interruption(SIGINT, .interrupted, task), Interruption(SIGTERM, .terminated, task)]
        let code = await task.value
        exit((signals.lazy.compactMap(\.exitCode).first ?? code).rawValue)
    }
}

/// A signal that cancels a task; a second one ends the process at once.
private final class Interruption: Sendable {
    private let code: ExitCode
    private let hasCome = Atomic(false)

    init(_ number: Int32, _ code: ExitCode, _ task: Task<ExitCode, Never>) {
        self.code = code
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler { [self] in
            // The handler holds its source, which thereby lives as long as the process.
            withExtendedLifetime(source) {
                if hasCome.exchange(true, ordering: .relaxed) { _exit(code.rawValue) }
            }
            task.cancel()
        }
        source.activate()
    }

    /// How the process should end because of it; nil where it has not come.
    var exitCode: ExitCode? { hasCome.load(ordering: .relaxed) ? code : nil }
}
