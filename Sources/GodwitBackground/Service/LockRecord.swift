#if os(Linux)
import GodwitCore
import GodwitLibc

/// Identifies the process that holds a lock, as written in the lock file.
package struct LockRecord: Sendable, Hashable, Codable {
    /// The process ID.
    package let process: Int32
    /// Its ``TransferRelease``.
    package let release: Int

    package init(process: Int32, release: Int) {
        self.process = process
        self.release = release
    }

    private static let longest = 1000

    /// The record of the process that holds a lock; `nil` if no process does.
    ///
    /// The kernel releases the lock when its holder dies, so the process is alive.
    package static func holder(of file: URL) -> LockRecord? {
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Closing the descriptor releases the lock if this succeeds.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let written = count > 0 ? try? JSONDecoder().decode(LockRecord.self, from: Data(bytes[..<count])) : nil
        // Release 1 writes no record.
        return written ?? LockRecord(process: 0, release: 1)
    }

    /// Sends SIGTERM: the process ends, and the next one continues its jobs. Does nothing if the ID belongs to another
    /// program.
    package func terminate() {
        guard process > 1, process != getpid(), isDaemon else { return }
        kill(process, SIGTERM)
    }

    /// Whether the ID belongs to a `godwit-transferd`. The kernel keeps 15 characters of a name.
    private var isDaemon: Bool {
        guard let name = try? String(contentsOf: URL(filePath: "/proc/\(process)/comm"), encoding: .utf8) else {
            return false
        }
        return name.hasPrefix("godwit-transfer")
    }
}
#endif
