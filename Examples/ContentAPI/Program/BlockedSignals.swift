#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Blocked signals to wait for. Create it before any other thread, so that no other thread receives them.
struct BlockedSignals {
    private var set = sigset_t()

    /// SIGINT and SIGTERM.
    static func ending() -> BlockedSignals {
        var signals = BlockedSignals()
        sigemptyset(&signals.set)
        sigaddset(&signals.set, SIGINT)
        sigaddset(&signals.set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals.set, nil)
        return signals
    }

    /// Waits for one of the signals.
    func wait() {
        var (set, signal) = (set, Int32(0))
        sigwait(&set, &signal)
    }
}

/// Prints a line immediately, even to a pipe.
func announce(_ line: String) {
    print(line)
    fflush(nil)
}

/// Exits with a message on standard error.
func stop(_ message: String, code: Int32) -> Never {
    let line = Array((message + "\n").utf8)
    write(STDERR_FILENO, line, line.count)
    exit(code)
}
