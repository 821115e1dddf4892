/// The tables of a store's file, and how to recognize them.
///
/// Bodies are in a separate table, so that updating a use rewrites a short row. Triggers maintain the sum of all sizes,
/// so that it always matches the committed records.
enum RecordSchema {
    /// Increase this with every change of the tables. A file of an older version is replaced, not converted; a file of
    /// a newer version stays unchanged.
    static let version = 1

    /// "Gdwt", SQLite's application ID in the file header.
    static let application = 0x4764_7774

    private static let tables = """
        CREATE TABLE records (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL, variant TEXT NOT NULL, use INTEGER NOT NULL,
            size INTEGER NOT NULL, head BLOB NOT NULL, UNIQUE (key, variant));
        CREATE INDEX records_by_use ON records (use);
        CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
        CREATE TABLE total (bytes INTEGER NOT NULL);
        INSERT INTO total VALUES (0);
        CREATE TRIGGER record_inserted AFTER INSERT ON records BEGIN
            UPDATE total SET bytes = bytes + new.size;
        END;
        CREATE TRIGGER record_deleted AFTER DELETE ON records BEGIN
            DELETE FROM bodies WHERE id = old.id;
            UPDATE total SET bytes = bytes - old.size;
        END;
        """

    /// Configures the connection and creates the tables if the file is empty. Throws `.foreign` for another program's
    /// file, and `.older` or `.newer` for other versions.
    static func prepare(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        try connection.execute("PRAGMA cell_size_check = ON")
        switch (try connection.number("PRAGMA application_id"), try connection.number("PRAGMA user_version")) {
        case (application, version): try configure(connection)
        case (application, let other) where other > version: throw .newer
        case (application, _): throw .older
        case (0, 0) where try connection.number("SELECT count(*) FROM sqlite_schema") == 0: try create(connection)
        default: throw .foreign
        }
    }

    /// These settings apply to the connection, or are persistent and then cost nothing.
    private static func configure(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        // In WAL mode, a power failure then loses the last writes but damages nothing.
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304;
            PRAGMA secure_delete = FAST
            """)
    }

    private static func create(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        // `auto_vacuum` only works before the first table. `synchronous = OFF` saves three disk syncs: an empty file
        // has nothing to lose.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = OFF")
        try configure(connection)
        try connection.transaction { () throws(SQLiteFailure) in
            try connection.execute(tables)
            try connection.execute("PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
        }
    }
}
