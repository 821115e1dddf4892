import CSQLite
import GodwitStorage
import Testing

/// A folder of its own for a test, removed when it is let go.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = URL(filePath: "/tmp").appending(path: "godwit-storage-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// The names of what is in it.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func size(of name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
        return attributes?[.size] as? Int ?? 0
    }

    func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

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
