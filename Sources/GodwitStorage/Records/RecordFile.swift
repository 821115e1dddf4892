#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file of a store, with those that SQLite keeps beside it.
///
/// Files are made, opened, closed, renamed and removed under the folder's lock: SQLite holds on to a file, but finds
/// its companions by name, so no two processes may do that at once.
struct RecordFile: Sendable {
    let folder: PrivateFolder
    private let path: String

    init(_ name: String, in folder: PrivateFolder) {
        self.folder = folder
        path = "\(folder.path)/\(name)"
    }

    /// Where a file goes that cannot be used; the one before it there is overwritten.
    private var asidePath: String { path + ".damaged" }

    /// Opens the file; makes it where there is none, and anew where it is damaged or another program's. Nil where that
    /// fails.
    func open() -> RecordTable? {
        guard (try? folder.make()) != nil else { return nil }
        return folder.whileLocked { openLocked() }
    }

    /// Closes a connection, of which no one else may hold a reference.
    func close(_ table: inout RecordTable?) {
        folder.whileLocked { table = nil }
    }

    /// Closes a connection to a damaged file, and puts that file aside unless another process has done so.
    func setAside(_ table: inout RecordTable?) {
        folder.whileLocked {
            let hasMoved = table?.hasMoved ?? true
            table = nil
            if !hasMoved { _ = setAside() }
        }
    }

    /// Closes a connection and removes the files. False where they are still there.
    func discard(_ table: inout RecordTable?) -> Bool {
        folder.whileLocked {
            table = nil
            unlink(asidePath)
            return remove(path) && removeCompanions()
        }
    }
}

extension RecordFile {
    private func openLocked() -> RecordTable? {
        for _ in 0..<2 {
            guard makePrivate() else { return nil }
            do throws(SQLiteFailure) {
                return try RecordTable(path: path)
            } catch {
                guard error.isDamage || error.isMismatch, setAside() else { return nil }
            }
        }
        return nil
    }

    /// Sees to it that there is a file, this user's and for nobody else to read.
    private func makePrivate() -> Bool {
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

    private func setAside() -> Bool {
        rename(path, asidePath) == 0 && removeCompanions()
    }

    private func removeCompanions() -> Bool {
        ["-wal", "-shm", "-journal"].allSatisfy { remove(path + $0) }
    }

    /// True where there is nothing of this name then.
    private func remove(_ path: String) -> Bool {
        unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR
    }
}

// The system's calls, which the methods of these names hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
private func systemClose(_ descriptor: Int32) { close(descriptor) }
