import CSQLite
import GodwitCore

/// The row a statement stands at. Not to be kept.
package struct SQLiteRow {
    private let statement: OpaquePointer

    package init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    /// A column as a number; 0 for what is none.
    ///
    /// - Parameter column: Its position, from 0.
    package func integer(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    /// Whether a column has no value.
    ///
    /// - Parameter column: Its position, from 0.
    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// A column as text; empty for what is none.
    ///
    /// - Parameter column: Its position, from 0.
    package func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column as bytes; empty for what is none.
    ///
    /// - Parameter column: Its position, from 0.
    package func blob(_ column: Int32) -> Data {
        guard let start = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}
