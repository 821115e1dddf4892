import CSQLite
import GodwitCore

/// A compiled statement, which can be run repeatedly.
package final class SQLiteStatement {
    private let handle: OpaquePointer
    /// Keeps the connection alive.
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection, _ sql: String) throws(SQLiteFailure) {
        handle = try connection.prepare(sql)
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs the statement and discards its results.
    package func run(_ values: SQLiteValue...) throws(SQLiteFailure) {
        defer { reset() }
        try connection.notingSpace { () throws(SQLiteFailure) in
            try bind(values)
            while try step() {}
        }
    }

    /// Runs the statement and reads each row.
    package func rows<Value>(
        _ values: SQLiteValue..., read: (SQLiteRow) -> Value
    ) throws(SQLiteFailure) -> [Value] {
        defer { reset() }
        try bind(values)
        var all: [Value] = []
        while try step() { all.append(read(SQLiteRow(handle))) }
        return all
    }

    private func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteFailure(code)
        }
    }

    /// Releases the read lock and the bound values.
    private func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func bind(_ values: [SQLiteValue]) throws(SQLiteFailure) {
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw SQLiteFailure(code) }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .integer(let number):
            return sqlite3_bind_int64(handle, index, Int64(number))
        case .text(let text):
            return text.withBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    godwit_bind_text(handle, index, characters.baseAddress, Int32(clamping: characters.count))
                }
            }
        case .blob(let data) where data.isEmpty:
            return sqlite3_bind_zeroblob(handle, index, 0)
        case .blob(let data):
            return data.withUnsafeBytes { godwit_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
        }
    }
}

/// The current row of a statement. Don't keep it.
package struct SQLiteRow {
    private let statement: OpaquePointer

    package init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    /// A column as a number; 0 if it isn't one.
    package func integer(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    /// Whether a column is NULL.
    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// A column as text; empty if it isn't one.
    package func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column as bytes; empty if it isn't a blob.
    package func blob(_ column: Int32) -> Data {
        guard let start = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}

/// A value bound to a `?` of a statement.
package enum SQLiteValue {
    case integer(Int)
    case text(String)
    case blob(Data)
}
