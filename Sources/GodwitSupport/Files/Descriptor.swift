#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Calls on a descriptor that the system may end early or interrupt. On failure, they return `false` with `errno`.
public enum Descriptor {
    /// Writes all bytes at the descriptor's position.
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        whole(bytes) { part, _ in systemWrite(descriptor, part.baseAddress, part.count) }
    }

    /// Writes all bytes at an offset.
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) -> Bool {
        whole(bytes) { part, done in pwrite(descriptor, part.baseAddress, part.count, off_t(offset) + off_t(done)) }
    }

    /// Sends all bytes through a blocking socket. A closed connection is an error, not a signal.
    public static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        whole(bytes) { part, _ in systemSend(descriptor, part.baseAddress, part.count, StreamSocket.sendFlags) }
    }

    /// Waits until the names in a folder are on the disk; on Apple platforms, until the drive has written its cache.
    public static func synchronizeFolder(_ path: String) -> Bool {
        let folder = open(path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        #if canImport(Darwin)
        // Not every file system has it.
        if fcntl(folder, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(folder) == 0
    }

    /// Repeats a call for the bytes that remain.
    private static func whole(
        _ bytes: UnsafeRawBufferPointer, by call: (_ part: UnsafeRawBufferPointer, _ done: Int) -> Int
    ) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = call(UnsafeRawBufferPointer(rebasing: bytes[done...]), done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}

// The C functions, which the methods shadow.
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemSend: @Sendable (Int32, UnsafeRawPointer?, Int, Int32) -> Int = { send($0, $1, $2, $3) }
