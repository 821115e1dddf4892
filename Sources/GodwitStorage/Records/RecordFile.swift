import GodwitCore
import GodwitLibc
import GodwitSupport

/// The file of a store, with SQLite's companion files.
///
/// Files are created, opened, closed, renamed and removed under the folder's lock: SQLite keeps the file open but finds
/// its companions by name, so processes must not do this concurrently.
struct RecordFile: Sendable {
    let folder: PrivateFolder
    /// Receives the reason if the file can't be used.
    let reporter: StoreReporter
    private let database: DatabaseFile

    init(_ name: String, in folder: PrivateFolder, _ store: StorageDiagnostic.Store, _ diagnostics: Diagnostics) {
        self.folder = folder
        database = DatabaseFile("\(folder.path)/\(name)")
        reporter = StoreReporter(diagnostics: diagnostics, store: store, path: database.path)
    }

    /// Opens the file. Creates it if missing, and replaces it if it is damaged or another program's. Failures are
    /// reported and return `nil`.
    func open() -> RecordTable? {
        do throws(NetworkError) {
            try folder.make()
        } catch {
            guard case .file(let reason) = error.kind else { return nil }
            reporter.report(StorageDiagnostic.Problem(reason: reason), reason)
            return nil
        }
        return whileLocked { openLocked() } ?? nil
    }

    /// Closes a connection to which no other reference exists.
    func close(_ table: inout RecordTable?) {
        _ = whileLocked { table = nil }
        // Without the folder's lock, SQLite's own has to be enough.
        table = nil
    }

    /// Closes a connection to a damaged file and renames the file, unless another process already has.
    func setAside(_ table: inout RecordTable?) {
        _ = whileLocked {
            let hasMoved = table?.hasMoved ?? true
            table = nil
            if !hasMoved { _ = database.setAside() }
        }
        table = nil
    }

    /// Closes a connection and removes the files; false if that fails.
    func discard(_ table: inout RecordTable?) -> Bool {
        let isRemoved = whileLocked {
            table = nil
            return database.remove()
        }
        table = nil
        return isRemoved ?? false
    }
}

extension RecordFile {
    /// `nil`, and it is reported, if the folder can't be locked.
    private func whileLocked<Value>(_ work: () -> Value) -> Value? {
        switch folder.whileLocked(work) {
        case .success(let value): return value
        case .failure(let fault):
            report(fault)
            return nil
        }
    }

    private func report(_ fault: FileLock.Fault) {
        if case .system(let code) = fault {
            return reporter.report(StorageDiagnostic.Problem(systemCode: code), String(cString: strerror(code)))
        }
        let reason = fault.text(for: folder.path, lock: "\(folder.path)/records.lock")
        reporter.report(StorageDiagnostic.Problem(reason: reason), reason)
    }

    /// SQLite doesn't say why it can't open a file; the folder's permissions may.
    private func report(_ failure: SQLiteFailure) {
        guard failure.problem == .unavailable, access(folder.path, W_OK) != 0 else { return reporter.report(failure) }
        let code = errno
        reporter.report(StorageDiagnostic.Problem(systemCode: code), String(cString: strerror(code)))
    }

    private func openLocked() -> RecordTable? {
        for _ in 0..<2 {
            if database.isOccupied { reporter.report(.damaged, "the path is not a regular file of this user") }
            guard database.makePrivate() else {
                let code = errno
                reporter.report(StorageDiagnostic.Problem(systemCode: code), String(cString: strerror(code)))
                return nil
            }
            do throws(SQLiteFailure) {
                return try RecordTable(path: database.path)
            } catch {
                // Replacing a file of an older version is expected.
                if !error.isOlder { report(error) }
                guard error.isDamage || error.isMismatch || error.isOlder, database.setAside() else { return nil }
            }
        }
        return nil
    }
}
