import GodwitCore
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
    /// Receives why the file can't be used.
    let reporter: StoreReporter
    private let database: DatabaseFile

    init(_ name: String, in folder: PrivateFolder, _ store: StorageDiagnostic.Store, _ diagnostics: Diagnostics) {
        self.folder = folder
        database = DatabaseFile("\(folder.path)/\(name)")
        reporter = StoreReporter(diagnostics: diagnostics, store: store, path: database.path)
    }

    /// Opens the file; makes it where there is none, and anew where it is damaged or another program's. Nil where that
    /// fails, which is reported.
    func open() -> RecordTable? {
        do throws(NetworkError) {
            try folder.make()
        } catch {
            guard case .file(let reason) = error.kind else { return nil }
            reporter.report(StorageDiagnostic.Problem(reason: reason), reason)
            return nil
        }
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
    /// SQLite does not say why it can't open a file; the folder may.
    private func report(_ failure: SQLiteFailure) {
        guard failure.problem == .unavailable, access(folder.path, W_OK) != 0 else { return reporter.report(failure) }
        let code = errno
        reporter.report(StorageDiagnostic.Problem(systemCode: code), String(cString: strerror(code)))
    }

    private func openLocked() -> RecordTable? {
        for _ in 0..<2 {
            if database.isOccupied { reporter.report(.damaged, "what is in its place is not a file of this user") }
            guard database.makePrivate() else {
                let code = errno
                reporter.report(StorageDiagnostic.Problem(systemCode: code), String(cString: strerror(code)))
                return nil
            }
            do throws(SQLiteFailure) {
                return try RecordTable(path: database.path)
            } catch {
                // An older version's file is replaced as planned; that is no damage.
                if !error.isOlder { report(error) }
                guard error.isDamage || error.isMismatch || error.isOlder, database.setAside() else { return nil }
            }
        }
        return nil
    }
}
