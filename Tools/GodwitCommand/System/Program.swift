import Godwit
import GodwitLibc
import GodwitSupport
import Synchronization

/// The process that runs a ``Command``: arguments, streams, signals and exit code.
public enum Program {
    /// Runs the command line of this process on the main thread, then exits.
    public static func run() -> Never {
        Descriptor.fillStandardOnes()
        // A write to a closed pipe, or beyond the limit of a file's size, is an error to report; it must not kill the process.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        guard let loop = MainLoop() else {
            perror("godwit")
            exit(ExitCode.file.rawValue)
        }
        // Installed before the command starts, so that no signal is missed.
        Interruption.install(waking: loop)
        var command = Command(
            input: StandardInput(), output: StandardOutput(descriptor: STDOUT_FILENO),
            errors: StandardOutput(descriptor: STDERR_FILENO))
        // The process runs one command, so reports of all stores belong to it.
        command.diagnostics = .shared
        let arguments = Array(CommandLine.arguments.dropFirst())
        let task = Task(executorPreference: loop) { [command] in
            let code = await command.run(arguments)
            exit(Interruption.code ?? code.rawValue)
        }
        loop.run { if Interruption.code != nil { task.cancel() } }
    }
}

/// The signals that end the command. The first one cancels its task, the second one exits the process immediately.
enum Interruption {
    private static let received = Atomic<Int32>(0)
    /// Kept for the process's life; `nil` until the handlers are installed.
    private static let loop = Atomic<Unmanaged<MainLoop>?>(nil)

    /// The exit code for the signal, as shells make it; `nil` if none was received.
    static var code: Int32? {
        let number = received.load(ordering: .acquiring)
        return number == 0 ? nil : 128 + number
    }

    /// Whether to give up a wait on the command's thread, which can't learn of a signal otherwise.
    static var isOver: Bool { code != nil || Task.isCancelled }

    fileprivate static func install(waking loop: MainLoop) {
        Self.loop.store(.passRetained(loop), ordering: .releasing)
        for number in [SIGINT, SIGTERM] { signal(number) { Interruption.receive($0) } }
        // `nohup` has it ignored.
        let former = signal(SIGHUP, SIG_IGN)
        guard unsafeBitCast(former, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { return }
        signal(SIGHUP) { Interruption.receive($0) }
    }

    /// Everything here is safe in a signal handler.
    private static func receive(_ number: Int32) {
        let isFirst = received.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing).exchanged
        if !isFirst { _exit(128 + number) }
        let error = errno
        loop.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.wake() }
        errno = error
    }
}
