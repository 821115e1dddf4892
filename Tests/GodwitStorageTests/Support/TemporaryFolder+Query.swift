import CSQLite
import GodwitStorage
import TestSupport
import Testing

extension TemporaryFolder {
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Runs a statement on a database in the folder, as another program does; returns its first number or text.
    @discardableResult
    func query(_ sql: String, _ name: String = "responses.sqlite") throws -> String {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        try #require(sqlite3_open(path(name), &connection) == SQLITE_OK)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let result = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        try #require(result == SQLITE_OK, "\(sql): \(String(cString: sqlite3_errmsg(connection)))")
        guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else { return "" }
        return String(cString: text)
    }
}
