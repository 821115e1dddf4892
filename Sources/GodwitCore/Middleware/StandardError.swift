#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes to the process's standard error.
enum StandardError {
    /// Writes a message and a line break, in one go so that messages do not mix.
    static func write(_ message: String) {
        var rest = Array("\(message)\n".utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Self.write($0) }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        var written: Int
        repeat {
            written = posixWrite(STDERR_FILENO, bytes.baseAddress, bytes.count)
        } while written < 0 && errno == EINTR
        return written
    }

    // The names of C would otherwise be hidden by those above.
    private static let posixWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
}
