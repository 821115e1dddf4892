#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The lock of an open file. The kernel releases it when the process dies.
public enum FileLock {
    /// Returns at once. `false` with `errno` if another descriptor has the lock.
    public static func take(_ descriptor: Int32) -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Releases the lock and closes the file.
    ///
    /// Closing alone isn't enough: a child process that is just being started has a copy of the descriptor until it runs
    /// its program.
    public static func close(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
        closeFile(descriptor)
    }
}

// `close` is also the name of a method here.
private func closeFile(_ descriptor: Int32) { close(descriptor) }
