#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes to the process's standard error.
public enum StandardError {
    /// Writes a message and a line break together, so that messages don't interleave.
    public static func log(_ message: String) {
        var rest = Array("\(message)\n".utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { writeOnce($0) }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    private static func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
        var written: Int
        repeat {
            written = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        } while written < 0 && errno == EINTR
        return written
    }
}
