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
        path = url.absoluteURL.path
    }

    /// Makes the folder, and those above it that are missing, with mode 0700.
    ///
    /// Throws `.file` where there is no folder then that this process may write to.
    package func make() throws(NetworkError) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0, errno != EEXIST, !isFolder(made) else { continue }
            throw failure("cannot make", errno)
        }
        guard isFolder(path) else { throw failure("cannot use", ENOTDIR) }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw failure("cannot use", errno) }
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

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func failure(_ what: String, _ code: Int32) -> NetworkError {
        NetworkError(.file(reason: "\(what) the folder \(path): \(String(cString: strerror(code)))"), phase: .building)
    }
}
