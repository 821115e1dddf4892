#if os(Linux)
import GodwitBackground
import GodwitStorage

/// The tables of the queue, and their version.
enum TransferSchema {
    /// Increase it with each change of the tables or of the rules for jobs: an older process must not run a job without its
    /// rules.
    ///
    /// Since version 2 jobs may have TLS and redirect rules and a token file. The tables are those of version 1.
    static let version = 2

    /// "Gdtr", the SQLite application ID.
    static let application = 0x4764_7472

    /// Row numbers are never reused (AUTOINCREMENT): a program may remember the highest event that was deleted.
    private static let tables = """
        CREATE TABLE sessions (
            name TEXT PRIMARY KEY, settings BLOB NOT NULL, awaitsRelaunch INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
        CREATE TABLE jobs (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
            state INTEGER NOT NULL, deadline INTEGER NOT NULL, spec BLOB NOT NULL, placement BLOB,
            completed INTEGER NOT NULL DEFAULT 0, total INTEGER NOT NULL DEFAULT -1);
        CREATE INDEX jobs_by_session ON jobs (session, number);
        CREATE TABLE events (
            number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, job TEXT NOT NULL UNIQUE,
            outcome BLOB NOT NULL);
        CREATE INDEX events_by_session ON events (session, number);
        """

    /// Tables that older versions ignore.
    private static let additions = """
        CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), state BLOB NOT NULL);
        """

    /// Creates the tables if the file is empty. Throws `.newer` for a queue of a newer version, and `.foreign` for a file that
    /// is neither empty nor a queue.
    static func prepare(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        let (owner, found) = (
            try connection.number("PRAGMA application_id"), try connection.number("PRAGMA user_version")
        )
        // Checked before any persistent setting.
        if owner == application, found > version { throw .newer }
        // Saved jobs must survive a power failure.
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304;
            PRAGMA secure_delete = ON
            """)
        switch (owner, found) {
        case (application, version): break
        case (application, 1): try connection.execute("PRAGMA user_version = \(version)")
        case (0, 0) where try connection.number("SELECT count(*) FROM sqlite_schema") == 0:
            try connection.transaction { () throws(SQLiteFailure) in
                try connection.execute(tables)
                try connection.execute("PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
            }
        default: throw .foreign
        }
        try connection.execute(additions)
    }
}

/// A job in the queue, without its specification.
struct StoredJob {
    enum State: Int {
        /// Waiting or running: a job that ran when the process was killed runs again.
        case pending = 0
        case paused = 1
        case ended = 2
        /// Sending an upload that must not be sent twice.
        case sending = 3
    }

    let id: UUID
    let session: String
    let state: State
    /// In seconds of the ``QueueClock``.
    let deadline: Int64
    let isDiscretionary: Bool
    /// Whether it may be sent again if the server may have received it.
    let isRepeatable: Bool

    init(id: UUID, session: String, state: State, deadline: Int64, _ spec: TransferSpec?) {
        self.id = id
        self.session = session
        self.state = state
        self.deadline = deadline
        isDiscretionary = spec?.isDiscretionary ?? false
        isRepeatable = spec?.isRepeatable ?? true
    }
}
#endif
