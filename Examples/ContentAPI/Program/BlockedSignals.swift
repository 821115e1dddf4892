#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Signals that wait to be asked for. Made before there is any other thread, so that none can take them.
struct BlockedSignals {
    private var set = sigset_t()

    /// What ends a program: SIGINT and SIGTERM.
    static func ending() -> BlockedSignals {
        var signals = BlockedSignals()
        sigemptyset(&signals.set)
        sigaddset(&signals.set, SIGINT)
        sigaddset(&signals.set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals.set, nil)
        return signals
    }

    /// Returns when one of them comes.
    func wait() {
        var (set, signal) = (set, Int32(0))
        sigwait(&set, &signal)
    }
}

/// Prints a line now, even into a pipe.
func announce(_ line: String) {
    print(line)
    fflush(nil)
}

/// Ends the program with a message on standard error.
func stop(_ message: String, code: Int32) -> Never {
    let line = Array((message + "\n").utf8)
    write(STDERR_FILENO, line, line.count)
    exit(code)
}
