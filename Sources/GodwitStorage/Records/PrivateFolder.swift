package import GodwitCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A folder that is made for its owner alone.
package struct PrivateFolder: Sendable {
    /// Absolute: SQLite takes a name that begins with `file:` for a URI.
    package let path: String

    /// Names a folder, which need not exist.
    package init(_ url: URL) {
        self.init(path: url.absoluteURL.path)
    }

    private init(path: String) {
        self.path = path
    }

    /// Makes the folder, and those above it that are missing, with mode 0700, and returns it by a path without symbolic
    /// links: SQLite follows none.
    ///
    /// Throws `.file` if it can't be made, is not a folder, or a link of another user leads there.
    @discardableResult
    package func make() throws(NetworkError) -> PrivateFolder {
        do throws(FolderFault) {
            return PrivateFolder(path: try FolderPath.resolve(path, making: 0o700))
        } catch {
            throw NetworkError(.file(reason: "cannot use the folder \(path): \(error)"), phase: .building)
        }
    }

    /// Does something while no other process, nor another store of this one, changes which files there are.
    ///
    /// The kernel lets go of the lock where a process dies. One that was stopped while it held it is waited for no longer
    /// than a second. A folder that is gone needs no lock.
    func whileLocked<Value>(_ work: () -> Value) -> Value {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return work() }
        defer { close(descriptor) }
        var attempts = 100
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR, attempts > 0 {
            attempts -= 1
            usleep(10_000)
        }
        return work()
    }
}
