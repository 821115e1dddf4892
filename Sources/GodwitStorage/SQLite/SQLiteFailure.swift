import CSQLite

/// The code with which SQLite ended a call.
struct SQLiteFailure: Error {
    /// The primary code, without what the extended ones add.
    let code: Int32

    init(_ code: Int32) {
        self.code = code & 0xFF
    }

    /// The database is not one that this build of the library made.
    static let foreign = SQLiteFailure(SQLITE_NOTADB)

    /// Whether the file's content is at fault: what is in it is no database, or no longer a whole one.
    var isDamage: Bool {
        code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT
    }

    /// Whether a statement did not suit the tables.
    var isMismatch: Bool {
        code == SQLITE_ERROR
    }

    /// Whether the connection is as good as before: another process was faster, or there is no more room.
    var isPassing: Bool {
        code == SQLITE_BUSY || code == SQLITE_FULL || code == SQLITE_TOOBIG
    }
}
