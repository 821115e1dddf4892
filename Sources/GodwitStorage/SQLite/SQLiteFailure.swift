import CSQLite

/// The code with which SQLite ended a call.
package struct SQLiteFailure: Error {
    /// The primary code, without what the extended ones add.
    package let code: Int32

    /// Makes the error of one of SQLite's codes.
    package init(_ code: Int32) {
        self.code = code & 0xFF
    }

    /// The database is not one that this build of the library made.
    package static let foreign = SQLiteFailure(SQLITE_NOTADB)

    /// The file can neither be opened nor made.
    package static let unopened = SQLiteFailure(SQLITE_CANTOPEN)

    /// What was to be written has no form that the tables could hold.
    package static let mismatch = SQLiteFailure(SQLITE_MISMATCH)

    /// Whether the file's content is at fault: what is in it is no database, or no longer a whole one.
    package var isDamage: Bool {
        code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT
    }

    /// Whether a statement did not suit the tables.
    package var isMismatch: Bool {
        code == SQLITE_ERROR
    }

    /// Whether the connection is as good as before: another process was faster, or there is no more room.
    package var isPassing: Bool {
        code == SQLITE_BUSY || code == SQLITE_FULL || code == SQLITE_TOOBIG
    }
}
