#if os(Linux)
package import GodwitCore
import GodwitLibc

/// The log of the process: a line per event of a job, without URLs and fields.
package final class TransferLog: Sendable {
    /// A longer log is truncated at the next start, in bytes.
    private static let longest = 1 << 20

    private let descriptor: Int32

    /// Opens the log, or creates it with mode 0600; without a file, nothing is logged.
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
        // Ignores errors, as transfers don't depend on the log.
        _ = write(descriptor, line, line.count)
    }
}
#endif
