#if os(Linux)
import GodwitBackground
import GodwitStorage

/// The tables of the queue, and how to tell them from any others.
enum TransferSchema {
    /// To be raised with every change of the tables, and of what jobs are held to: an older process must not do a job
    /// without its rules.
    ///
    /// Since version 2 jobs may have rules for TLS and redirects, and a token's file; the tables are those of version 1.
    static let version = 2

    /// "Gdtr", in the header's place for the program that owns a file.
    static let application = 0x4764_7472

    /// Numbers of rows are never given twice (AUTOINCREMENT): a program may have seen the highest event before it went.
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

    /// What processes of this version have in addition, and older ones do not look at.
    private static let additions = """
        CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), state BLOB NOT NULL);
        """

    /// Makes the tables where the file is empty. Throws `.newer` for a queue of a newer version, and a damage for a file
    /// that is neither empty nor a queue.
    static func prepare(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        let (owner, found) = (
            try connection.number("PRAGMA application_id"), try connection.number("PRAGMA user_version")
        )
        // Before anything is set that the file remembers.
        if owner == application, found > version { throw .newer }
        // What a program was told is written down has to be there after a power cut too.
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

/// A job as the queue's file has it, without what it takes to do it.
struct StoredJob {
    /// What is written down about where a job stands.
    enum State: Int {
        /// To be done, or under way: what was under way when the process died is to be done.
        case pending = 0
        /// Waits to be resumed.
        case paused = 1
        /// Has ended.
        case ended = 2
        /// Content that must not be sent twice is under way.
        case sending = 3
    }

    let id: UUID
    let session: String
    let state: State
    /// By the queue's clock.
    let deadline: Int64
    let isDiscretionary: Bool
    /// Whether it may be sent again when it may have been received.
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
