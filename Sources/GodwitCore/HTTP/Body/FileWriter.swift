import GodwitLibc
import GodwitSupport

/// Writes a body to a file in pieces. Closes the file when released; after a failure, earlier pieces remain in it.
package final class FileWriter: Sendable {
    private let descriptor: Int32
    private let name: String

    /// Creates or truncates the file, or opens a device. Throws `.file`.
    package init(_ url: URL) throws(NetworkError) {
        name = url.lastPathComponent
        var status = stat()
        // A pipe would block the thread, which may serve every exchange.
        if stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
            throw NetworkError(.file(reason: "\(name) is not a regular file or device"), phase: .receiving)
        }
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw Self.failure("cannot create", name) }
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    /// Creates a file that only its owner can read. Throws `.file`, also if the file exists.
    init(creatingPrivate url: URL) throws(NetworkError) {
        name = url.lastPathComponent
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot create", name) }
    }

    deinit {
        close(descriptor)
    }

    /// Writes all bytes. Throws `.file`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
        guard Descriptor.write(bytes, to: descriptor) else { throw Self.failure("cannot write", name) }
    }

    /// Writes all data. Throws `.file`.
    package func write(_ data: Data) throws(NetworkError) {
        let outcome = data.withUnsafeBytes { bytes in
            Result { () throws(NetworkError) in try write(bytes) }
        }
        try outcome.get()
    }

    private static func failure(_ what: String, _ name: String) -> NetworkError {
        NetworkError(.file(reason: "\(what) \(name): \(String(cString: strerror(errno)))"), phase: .receiving)
    }
}
