import CSQLite
package import GodwitCore

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

    /// A newer version of the library made the tables. No code of SQLite's.
    package static let newer = SQLiteFailure(0)

    /// The file can neither be opened nor made.
    package static let unopened = SQLiteFailure(SQLITE_CANTOPEN)

    /// What was to be written has no form that the tables could hold.
    package static let mismatch = SQLiteFailure(SQLITE_MISMATCH)

    /// Whether the file's content is at fault: what is in it is no database, or no longer a whole one.
    package var isDamage: Bool {
        code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT
    }

    /// An older version of the library made the tables. No code of SQLite's.
    package static let older = SQLiteFailure(0x7F)

    /// Whether an older version of the library made the tables.
    package var isOlder: Bool { code == 0x7F }

    /// Whether a newer version of the library made the tables.
    package var isNewer: Bool { code == 0 }

    /// Whether a statement did not suit the tables.
    package var isMismatch: Bool {
        code == SQLITE_ERROR
    }

    /// Whether the connection is as good as before: another process was faster, or there is no more room.
    package var isPassing: Bool {
        code == SQLITE_BUSY || code == SQLITE_FULL || code == SQLITE_TOOBIG
    }
}

extension SQLiteFailure: CustomStringConvertible {
    /// SQLite's words for the code.
    package var description: String {
        isNewer ? "a newer version made its tables" : "SQLite \(code): \(String(cString: sqlite3_errstr(code)))"
    }

    /// What an app observes of it.
    package var problem: StorageDiagnostic.Problem {
        switch code {
        case 0: .newerVersion
        case SQLITE_FULL: .diskFull
        case SQLITE_BUSY, SQLITE_LOCKED: .locked
        case SQLITE_READONLY: .readOnly
        case SQLITE_PERM, SQLITE_AUTH: .noPermission
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
        default: .unavailable
        }
    }
}
