#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file of an SQLite database that is one user's alone.
package struct DatabaseFile: Sendable {
    /// Where the database is; its journal stands beside it.
    package let path: String

    /// Names a database, which need not exist.
    package init(_ path: String) {
        self.path = path
    }

    /// Where a file goes that cannot be used; the one before it there is overwritten.
    package var asidePath: String { path + ".damaged" }

    /// Whether something is in its place that is no file of this user's; making it private sets that aside.
    package var isOccupied: Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG || status.st_uid != geteuid()
    }

    /// Sees to it that there is a file, this user's and for nobody else to read.
    package func makePrivate() -> Bool {
        // Only a file that is new may be opened here: closing it would give up the locks of a connection that this
        // process has to it.
        let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 {
            systemClose(descriptor)
            // Left over from a file that was removed halfway; they would be taken for this one's.
            return removeCompanions()
        }
        var status = stat()
        guard errno == EEXIST, lstat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return setAside() && makePrivate()
        }
        return status.st_mode & 0o077 == 0 || chmod(path, 0o600) == 0
    }

    /// Renames it, in the place of the one that was set aside before. False where that fails.
    package func setAside() -> Bool {
        rename(path, asidePath) == 0 && removeCompanions()
    }

    /// Removes what SQLite keeps beside it. False where something is still there.
    package func removeCompanions() -> Bool {
        ["-wal", "-shm", "-journal"].allSatisfy { remove(path + $0) }
    }

    /// Removes it, and the one that was set aside. False where it is still there.
    package func remove() -> Bool {
        unlink(asidePath)
        return remove(path) && removeCompanions()
    }

    /// True where there is nothing of this name then.
    private func remove(_ path: String) -> Bool {
        unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR
    }
}

// The system's calls, which the methods of these names hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
private func systemClose(_ descriptor: Int32) { close(descriptor) }
