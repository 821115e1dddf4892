import CSQLite
import Synchronization
import Testing

/// The lock that writing to a database needs, held as another program does that writes for long.
final class HeldLock: Sendable {
    private let connection: Mutex<OpaquePointer?>

    init(_ path: String) throws {
        var connection: OpaquePointer?
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        try #require(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        self.connection = Mutex(connection)
    }

    func release() {
        connection.withLock { connection in
            sqlite3_close(connection)
            connection = nil
        }
    }
}
