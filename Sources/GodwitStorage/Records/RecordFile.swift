/// The file of a store, with those that SQLite keeps beside it.
///
/// Files are made, opened, closed, renamed and removed under the folder's lock: SQLite holds on to a file, but finds
/// its companions by name, so no two processes may do that at once.
struct RecordFile: Sendable {
    let folder: PrivateFolder
    private let database: DatabaseFile

    init(_ name: String, in folder: PrivateFolder) {
        self.folder = folder
        database = DatabaseFile("\(folder.path)/\(name)")
    }

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
            if !hasMoved { _ = database.setAside() }
        }
    }

    /// Closes a connection and removes the files. False where they are still there.
    func discard(_ table: inout RecordTable?) -> Bool {
        folder.whileLocked {
            table = nil
            return database.remove()
        }
    }
}

extension RecordFile {
    private func openLocked() -> RecordTable? {
        for _ in 0..<2 {
            guard database.makePrivate() else { return nil }
            do throws(SQLiteFailure) {
                return try RecordTable(path: database.path)
            } catch {
                guard error.isDamage || error.isMismatch, database.setAside() else { return nil }
            }
        }
        return nil
    }
}
