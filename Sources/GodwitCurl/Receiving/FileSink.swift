import Glibc
import GodwitCore

/// Writes a body straight into a file.
final class FileSink {
    private let descriptor: Int32
    private let name: String

    /// Creates or replaces the file.
    init(_ url: URL) throws(NetworkError) {
        name = url.lastPathComponent
        // To open a pipe that nobody reads would else hold up the loop for good.
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw Self.failure("cannot create", name) }
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    deinit {
        close(descriptor)
    }

    /// Writes all of the bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, chunk.baseAddress, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("cannot write", name) }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ what: String, _ name: String) -> NetworkError {
        NetworkError(.file(reason: "\(what) \(name): \(String(cString: strerror(errno)))"), phase: .receiving)
    }
}
