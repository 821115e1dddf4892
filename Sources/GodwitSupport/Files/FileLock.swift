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

    /// Runs work while no other process works on the files of a folder, if they all ask for its lock here.
    ///
    /// If a process was suspended while holding it, the wait ends after a second. A missing folder needs no lock. Blocks the
    /// thread.
    public static func whileLocked<Value, Failure>(
        folder path: String, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return try work() }
        defer { close(descriptor) }
        var attempts = 100
        while !take(descriptor), errno == EWOULDBLOCK || errno == EINTR, attempts > 0 {
            attempts -= 1
            usleep(10_000)
        }
        return try work()
    }
}

// `close` is also the name of a method here.
private func closeFile(_ descriptor: Int32) { close(descriptor) }
