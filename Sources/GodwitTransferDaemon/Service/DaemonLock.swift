#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
package import GodwitBackground

/// What only one process of a folder holds. The kernel lets go of it where that process dies.
package final class DaemonLock: Sendable {
    private let descriptor: Int32

    /// Nil where another process holds it, or the file cannot be made; then errno is not `EWOULDBLOCK`.
    package init?(_ file: URL) {
        descriptor = open(file.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        ftruncate(descriptor, 0)
    }

    /// Lets another process have it.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    /// Writes into the file who holds the lock.
    func note(_ record: LockRecord) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        let bytes = Array(data)
        // That the disk is full costs a word in a message, no more.
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
#endif
