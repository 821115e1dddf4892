import GodwitLibc

/// The file of an SQLite database that belongs to one user.
package struct DatabaseFile: Sendable {
    /// The path of the database; its companion files are in the same folder.
    package let path: String

    /// Creates a reference to a database, which need not exist.
    package init(_ path: String) {
        self.path = path
    }

    /// The path to which a damaged file is renamed, replacing an earlier one.
    package var asidePath: String { path + ".damaged" }

    /// Whether the path isn't a regular file of this user. ``makePrivate()`` renames what is there.
    package var isOccupied: Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG || status.st_uid != geteuid()
    }

    /// Ensures that the file exists and that only this user can read it.
    package func makePrivate() -> Bool {
        // Only a new file may be opened here: closing an existing one would release the locks of this process's
        // connections.
        let descriptor = GodwitLibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            GodwitLibc.close(descriptor)
            // Remains of an incomplete removal, which SQLite would apply to this file.
            return removeCompanions()
        }
        var status = stat()
        guard errno == EEXIST, lstat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return setAside() && makePrivate()
        }
        return status.st_mode & 0o077 == 0 || chmod(path, 0o600) == 0
    }

    /// Renames the file, replacing one that was renamed before. False on failure.
    package func setAside() -> Bool {
        rename(path, asidePath) == 0 && removeCompanions()
    }

    /// Removes SQLite's companion files. False if one remains.
    package func removeCompanions() -> Bool {
        ["-wal", "-shm", "-journal"].allSatisfy { remove(path + $0) }
    }

    /// Removes the file and a renamed one. False if it remains.
    package func remove() -> Bool {
        unlink(asidePath)
        return remove(path) && removeCompanions()
    }

    /// Whether nothing of this name remains.
    private func remove(_ path: String) -> Bool {
        unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR
    }
}
