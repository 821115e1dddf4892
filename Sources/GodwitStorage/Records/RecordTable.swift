import GodwitCore

/// The records of an open database, in the order of their last use.
///
/// Uses are counted instead of timed, so that setting the clock back doesn't reorder them.
final class RecordTable {
    private let connection: SQLiteConnection
    private let select: SQLiteStatement
    private let selectOnly: SQLiteStatement
    private let selectHeads: SQLiteStatement
    private let selectBody: SQLiteStatement
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let deleteExcess: SQLiteStatement
    private let insert: SQLiteStatement
    private let insertBody: SQLiteStatement
    private let deleteOne: SQLiteStatement
    private let deleteKey: SQLiteStatement
    private let deleteOldest: SQLiteStatement
    private let use: SQLiteStatement
    private let lastUse: SQLiteStatement
    private let total: SQLiteStatement
    private var changes = 0

    /// Opens an existing file that is empty or of this version. Throws a failure that is damage or a mismatch for other
    /// files.
    init(path: String) throws(SQLiteFailure) {
        let connection = try SQLiteConnection(path: path, patience: 1000)
        self.connection = connection
        try RecordSchema.prepare(connection)
        select = try SQLiteStatement(
            connection, "SELECT variant, head, body, size FROM records JOIN bodies USING (id) WHERE key = ?")
        selectOnly = try SQLiteStatement(
            connection,
            """
            SELECT id, variant, head, CASE WHEN (SELECT count(*) FROM records WHERE key = ?1) = 1
                THEN (SELECT body FROM bodies WHERE bodies.id = records.id) END
            FROM records WHERE key = ?1 LIMIT 2
            """)
        selectHeads = try SQLiteStatement(connection, "SELECT id, variant, head FROM records WHERE key = ?")
        selectBody = try SQLiteStatement(connection, "SELECT body FROM bodies WHERE id = ?")
        begin = try SQLiteStatement(connection, "BEGIN")
        commit = try SQLiteStatement(connection, "COMMIT")
        deleteExcess = try SQLiteStatement(
            connection,
            """
            DELETE FROM records WHERE id IN (
                SELECT id FROM records WHERE key = ? ORDER BY use DESC, id DESC LIMIT -1 OFFSET \(EntryLimit.variants))
            """)
        insert = try SQLiteStatement(
            connection, "INSERT INTO records (key, variant, use, size, head) VALUES (?, ?, ?, ?, ?)")
        insertBody = try SQLiteStatement(connection, "INSERT INTO bodies (id, body) VALUES (?, ?)")
        deleteOne = try SQLiteStatement(connection, "DELETE FROM records WHERE key = ? AND variant = ?")
        deleteKey = try SQLiteStatement(connection, "DELETE FROM records WHERE key = ?")
        deleteOldest = try SQLiteStatement(
            connection, "DELETE FROM records WHERE id = (SELECT id FROM records ORDER BY use, id LIMIT 1)")
        use = try SQLiteStatement(connection, "UPDATE records SET use = ? WHERE key = ? AND variant = ?")
        lastUse = try SQLiteStatement(connection, "SELECT max(use) FROM records")
        total = try SQLiteStatement(connection, "SELECT bytes FROM total")
    }

    /// Whether the file was replaced or removed.
    var hasMoved: Bool { connection.hasMoved }

    func records(for key: String) throws(SQLiteFailure) -> [Record] {
        try select.rows(.text(key)) { row in
            Record(key: key, variant: row.text(0), head: row.blob(1), body: row.blob(2), size: row.integer(3))
        }
    }

    /// The record chosen by its head, with its body. Other bodies aren't read.
    func record<Chosen: Sendable>(
        for key: String, choosing choose: ([RecordHead]) -> (head: RecordHead, value: Chosen)?
    ) throws(SQLiteFailure) -> FoundRecord<Chosen>? {
        // Most keys have one variant, which one statement reads completely.
        let first = try selectOnly.rows(.text(key)) { row in
            (head: Self.head(row), body: row.isNull(3) ? nil : row.blob(3))
        }
        guard let only = first.first else { return nil }
        guard first.count > 1 else {
            return only.body.map { .only(only.head, body: $0) }
        }
        return try recordOfSeveral(for: key, choosing: choose)
    }

    private static func head(_ row: SQLiteRow) -> RecordHead {
        RecordHead(row: row.integer(0), variant: row.text(1), head: row.blob(2))
    }

    private func recordOfSeveral<Chosen: Sendable>(
        for key: String, choosing choose: ([RecordHead]) -> (head: RecordHead, value: Chosen)?
    ) throws(SQLiteFailure) -> FoundRecord<Chosen>? {
        // One transaction for both reads: another process may reuse the row ID.
        try begin.run()
        do throws(SQLiteFailure) {
            let heads = try selectHeads.rows(.text(key)) { Self.head($0) }
            var found: FoundRecord<Chosen>?
            if let chosen = choose(heads),
                let body = try selectBody.rows(.integer(chosen.head.row), read: { $0.blob(0) }).first
            {
                found = .chosen(chosen.head, chosen.value, body: body)
            }
            try commit.run()
            return found
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    func keys() throws(SQLiteFailure) -> [String] {
        try SQLiteStatement(connection, "SELECT DISTINCT key FROM records").rows { $0.text(0) }
    }

    /// Reads all heads, but no bodies.
    func heads(containing texts: [String]) throws(SQLiteFailure) -> [(key: String, head: RecordHead)] {
        let statement = try SQLiteStatement(
            connection, "SELECT id, variant, head, key FROM records WHERE instr(head, ?) > 0")
        var found: [(key: String, head: RecordHead)] = []
        for text in texts {
            found += try statement.rows(.blob(Data(text.utf8))) { (key: $0.text(3), head: Self.head($0)) }
        }
        return found
    }

    func byteCount() throws(SQLiteFailure) -> Int {
        try total.rows { $0.integer(0) }.first ?? 0
    }

    /// Stores a record, replacing one with the same key and variant, and evicts the least recently used over the limit.
    /// A record over the entry limit isn't stored.
    func put(_ record: Record, _ limits: RecordLimits, after uses: [RecordName]) throws(SQLiteFailure) {
        try connection.transaction { () throws(SQLiteFailure) in
            var number = try touch(uses)
            try deleteOne.run(.text(record.key), .text(record.variant))
            guard record.size <= limits.entry, record.size <= limits.all else { return }
            number += 1
            try insert.run(
                .text(record.key), .text(record.variant), .integer(number), .integer(record.size), .blob(record.head))
            try insertBody.run(.integer(connection.lastInsertedRow), .blob(record.body))
            try deleteExcess.run(.text(record.key))
            try shrink(to: limits.all)
        }
        tidyNowAndThen()
    }

    func remove(_ key: String, variant: String) throws(SQLiteFailure) {
        try deleteOne.run(.text(key), .text(variant))
        tidyNowAndThen()
    }

    func removeAll(for key: String) throws(SQLiteFailure) {
        try deleteKey.run(.text(key))
        tidyNowAndThen()
    }

    /// Writes uses, the latest last.
    func note(_ uses: [RecordName]) throws(SQLiteFailure) {
        guard !uses.isEmpty else { return }
        try connection.transaction { () throws(SQLiteFailure) in _ = try touch(uses) }
    }

    /// Evicts records over the limit.
    func trim(to limit: Int) throws(SQLiteFailure) {
        guard try byteCount() > limit else { return }
        try connection.transaction { () throws(SQLiteFailure) in try shrink(to: limit) }
        tidy()
    }
}

extension RecordTable {
    /// Returns the number of the last use.
    private func touch(_ uses: [RecordName]) throws(SQLiteFailure) -> Int {
        var number = try lastUse.rows { $0.integer(0) }.first ?? 0
        for name in uses {
            number += 1
            try use.run(.integer(number), .text(name.key), .text(name.variant))
        }
        return number
    }

    private func shrink(to limit: Int) throws(SQLiteFailure) {
        var size = try byteCount()
        while size > limit {
            try deleteOldest.run()
            let rest = try byteCount()
            // The total doesn't match the records.
            guard rest < size else { throw .foreign }
            size = rest
        }
    }

    private func tidyNowAndThen() {
        changes += 1
        guard changes % 16 == 0 else { return }
        tidy()
        connection.shortenLog(beyond: 8 << 20)
    }

    /// Returns pages to the file system if more than a quarter and more than a megabyte are unused.
    private func tidy() {
        guard let unused = try? connection.number("PRAGMA freelist_count"), unused > 256,
            let all = try? connection.number("PRAGMA page_count"), unused > all / 4
        else { return }
        try? connection.execute("PRAGMA incremental_vacuum(\(unused - 128))")
    }
}
