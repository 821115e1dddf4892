#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore

/// A file that takes the content of a response, piece by piece; what came before a failure stays in it.
final class FileSink: Sendable {
    private let descriptor: Int32
    private let name: String

    /// Creates the file, or empties it. Throws `.file`.
    init(_ url: URL) throws(NetworkError) {
        name = url.lastPathComponent
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure("cannot create", name) }
    }

    deinit {
        close(descriptor)
    }

    func write(_ piece: Data) throws(NetworkError) {
        let isWritten = piece.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = writeBytes(descriptor, part.baseAddress, part.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        guard isWritten else { throw Self.failure("cannot write to", name) }
    }

    private static func failure(_ what: String, _ name: String) -> NetworkError {
        let reason = String(cString: strerror(errno))
        return NetworkError(.file(reason: "\(what) \(name): \(reason)"), phase: .receiving)
    }
}

// The C function that the method above would hide.
private let writeBytes: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
