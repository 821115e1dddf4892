import CSQLite
import GodwitLibc

/// An open database. The owner must use it from one thread at a time.
package final class SQLiteConnection {
    private let handle: OpaquePointer
    private let path: String

    /// Opens an existing file.
    ///
    /// - Parameter patience: How long a call waits for another process, in milliseconds.
    package init(path: String, patience: Int32) throws(SQLiteFailure) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw SQLiteFailure(code)
        }
        self.handle = handle
        self.path = path
        sqlite3_busy_timeout(handle, patience)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Whether the file was replaced or removed.
    package var hasMoved: Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }

    /// Whether the latest statement without rows found no space: on the disk, or within the limit of the file.
    package private(set) var isFull = false

    func notingSpace(_ work: () throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
        do throws(SQLiteFailure) {
            try work()
            isFull = false
        } catch {
            if error.isFull { isFull = true }
            throw error
        }
    }

    /// The row ID of the last insertion.
    package var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Runs statements without results.
    package func execute(_ sql: String) throws(SQLiteFailure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteFailure(code) }
    }

    /// The number that a statement returns; 0 if it returns none.
    package func number(_ sql: String) throws(SQLiteFailure) -> Int {
        let statement = try SQLiteStatement(self, sql)
        return try statement.rows { $0.integer(0) }.first ?? 0
    }

    /// Compiles a statement.
    package func prepare(_ sql: String) throws(SQLiteFailure) -> OpaquePointer {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw SQLiteFailure(code) }
        return statement
    }

    /// Truncates the write-ahead log if it exceeds a size in bytes.
    ///
    /// SQLite restarts the log only while there are no readers, which may take long with several busy processes. This
    /// call waits for such a moment.
    package func shortenLog(beyond limit: Int) {
        var status = stat()
        guard stat(path + "-wal", &status) == 0, Int(status.st_size) > limit else { return }
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    /// Runs work in a transaction. Takes the write lock first, so that no other process can write between reading and
    /// writing.
    package func transaction(_ work: () throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            try notingSpace { () throws(SQLiteFailure) in
                try work()
                try execute("COMMIT")
            }
        } catch {
            // Some failures have already rolled back; then this one fails harmlessly.
            try? execute("ROLLBACK")
            throw error
        }
    }
}
