import CSQLite
package import GodwitCore

/// An error code of SQLite.
package struct SQLiteFailure: Error {
    /// The primary code, without the extended bits.
    package let code: Int32

    /// Creates a failure from an SQLite code.
    package init(_ code: Int32) {
        self.code = code & 0xFF
    }

    /// The database wasn't created by this library.
    package static let foreign = SQLiteFailure(SQLITE_NOTADB)

    /// A newer version of the library created the tables. Not a code of SQLite.
    package static let newer = SQLiteFailure(0)

    /// The file can be neither opened nor created.
    package static let unopened = SQLiteFailure(SQLITE_CANTOPEN)

    /// The value can't be stored in the tables.
    package static let mismatch = SQLiteFailure(SQLITE_MISMATCH)

    /// Whether the file is damaged or isn't a database.
    package var isDamage: Bool {
        code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_FORMAT
    }

    /// An older version of the library created the tables. Not a code of SQLite.
    package static let older = SQLiteFailure(0x7F)

    /// Whether an older version of the library created the tables.
    package var isOlder: Bool { code == 0x7F }

    /// Whether a newer version of the library created the tables.
    package var isNewer: Bool { code == 0 }

    /// Whether a statement doesn't match the tables.
    package var isMismatch: Bool {
        code == SQLITE_ERROR
    }

    /// Whether there is no space for what was written.
    package var isFull: Bool { code == SQLITE_FULL }

    /// Whether the connection is still usable: the file is busy, the disk is full, or a value is too large.
    package var isPassing: Bool {
        code == SQLITE_BUSY || code == SQLITE_FULL || code == SQLITE_TOOBIG
    }
}

extension SQLiteFailure: CustomStringConvertible {
    /// SQLite's text for the code.
    package var description: String {
        isNewer ? "a newer version created its tables" : "SQLite \(code): \(String(cString: sqlite3_errstr(code)))"
    }

    /// The problem reported to the app.
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
