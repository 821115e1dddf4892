#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
package import GodwitCore

/// The process's log: a line for what happened to a job. Neither URLs nor fields stand in it.
package final class TransferLog: Sendable {
    /// A log that is longer begins anew at the next start, in bytes.
    private static let longest = 1 << 20

    private let descriptor: Int32

    /// Opens the log, or makes it with mode 0600; nil for none.
    package init(_ file: URL?) {
        guard let file else {
            descriptor = -1
            return
        }
        descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_size > Self.longest { _ = ftruncate(descriptor, 0) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func note(_ text: String) {
        guard descriptor >= 0 else { return }
        let line = Array("\(Date().ISO8601Format()) \(text)\n".utf8)
        // That the disk is full is no reason not to transfer.
        _ = write(descriptor, line, line.count)
    }
}
#endif
