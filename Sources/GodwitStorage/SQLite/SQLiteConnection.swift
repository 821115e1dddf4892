import CSQLite
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An open database. Whoever holds it sees to it that one thread at a time uses it.
package final class SQLiteConnection {
    private let handle: OpaquePointer
    private let path: String

    /// Opens a file that exists.
    ///
    /// - Parameter patience: For how long a call waits for another process, in milliseconds.
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

    /// Whether the file of this name is another by now, or there is none.
    package var hasMoved: Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }

    /// The key of the row that was inserted last.
    package var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Runs statements that return nothing of interest.
    package func execute(_ sql: String) throws(SQLiteFailure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteFailure(code) }
    }

    /// The number that a statement returns; 0 where it returns none.
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

    /// Empties the write-ahead log where it is longer than this, in bytes.
    ///
    /// SQLite begins it anew only at a moment when nobody reads; where several processes are busy there may be none for
    /// long. This waits for one.
    package func shortenLog(beyond limit: Int) {
        var status = stat()
        guard stat(path + "-wal", &status) == 0, Int(status.st_size) > limit else { return }
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    /// Does all of the work or nothing of it. The lock that writing needs is taken first, so that no other process can
    /// come between reading and writing.
    package func transaction(_ work: () throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            try work()
            try execute("COMMIT")
        } catch {
            // Some failures have rolled back already; that this one then fails says nothing.
            try? execute("ROLLBACK")
            throw error
        }
    }
}
