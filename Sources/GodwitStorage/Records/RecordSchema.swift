/// The tables of a store's file, and how to tell them from any others.
///
/// Bodies stand in a table of their own, so that noting a use rewrites a short row. The sum of all sizes is kept by
/// triggers: what a transaction changed and what it counts for cannot come apart.
enum RecordSchema {
    /// To be raised with every change of the tables: a file of an older version is set aside, not converted; one of a newer
    /// version is left as it is.
    static let version = 1

    /// "Gdwt", in the header's place for the program that owns a file.
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

    /// Makes the tables where the file is empty, and sets the connection up. Throws a damage for a file that is neither
    /// empty nor of this version, and `.newer` for one that a newer version made.
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

    /// What is set here is either of one connection only, or remembered by the file and then free.
    private static func configure(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        // In WAL mode a power cut then loses the last writes, and damages nothing.
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304;
            PRAGMA secure_delete = FAST
            """)
    }

    private static func create(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        // The first has no effect once there is a table. The second saves waiting for the disk three times: of an empty
        // file nothing can be lost.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = OFF")
        try configure(connection)
        try connection.transaction { () throws(SQLiteFailure) in
            try connection.execute(tables)
            try connection.execute("PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
        }
    }
}
