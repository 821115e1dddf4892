#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore

/// What a transferring process writes into its lock file about itself.
package struct LockRecord: Sendable, Hashable, Codable {
    /// The number of the process.
    package let process: Int32
    /// Its ``TransferRelease``.
    package let release: Int

    package init(process: Int32, release: Int) {
        self.process = process
        self.release = release
    }

    private static let longest = 1000

    /// What the process that holds a lock says of itself; nil if nobody holds it.
    ///
    /// The kernel releases the lock when its holder dies, so a process that is named here is alive.
    package static func holder(of file: URL) -> LockRecord? {
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Closing gives the lock back where nobody has it.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let written = count > 0 ? try? JSONDecoder().decode(LockRecord.self, from: Data(bytes[..<count])) : nil
        // One of release 1 writes nothing.
        return written ?? LockRecord(process: 0, release: 1)
    }

    /// Asks the process to end, as SIGTERM does: what is under way is taken up by the next one. Does nothing if the
    /// number belongs to another program.
    package func terminate() {
        guard process > 1, process != getpid(), isDaemon else { return }
        kill(process, SIGTERM)
    }

    /// Whether the number is that of a process of this name; the kernel keeps 15 characters of it.
    private var isDaemon: Bool {
        guard let name = try? String(contentsOf: URL(filePath: "/proc/\(process)/comm"), encoding: .utf8) else {
            return false
        }
        return name.hasPrefix("godwit-transfer")
    }
}
#endif
