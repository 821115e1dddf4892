import GodwitCore

/// A bounded store of records on disk, not thread-safe. Failures count as missing records.
///
/// The file is opened on first use, and again if it was renamed, removed or replaced.
struct RecordStore {
    private let file: RecordFile
    private let limits: RecordLimits
    private var table: RecordTable?
    private var uses = RecentUses()
    /// A removal failed: nothing is returned from here on.
    private var hasGivenUp = false

    init(_ file: RecordFile, _ limits: RecordLimits) {
        self.file = file
        self.limits = limits
    }

    mutating func records(for key: String) -> [Record] {
        let found = attempt { table throws(SQLiteFailure) in try table.records(for: key) } ?? []
        for record in found { noteUse(of: RecordName(key: record.key, variant: record.variant)) }
        return found
    }

    /// The only record of a key, or the variant chosen by its head. No other body is read, and no other record counts
    /// as used.
    mutating func record<Chosen: Sendable>(
        for key: String, choosing choose: ([RecordHead]) -> (head: RecordHead, value: Chosen)?
    ) -> FoundRecord<Chosen>? {
        let found = attempt { table throws(SQLiteFailure) in try table.record(for: key, choosing: choose) } ?? nil
        if let found { noteUse(of: RecordName(key: key, variant: found.head.variant)) }
        return found
    }

    mutating func keys() -> [String] {
        attempt { table throws(SQLiteFailure) in try table.keys() } ?? []
    }

    /// The heads that contain one of these texts. None of the records counts as used.
    mutating func heads(containing texts: [String]) -> [(key: String, head: RecordHead)] {
        attempt { table throws(SQLiteFailure) in try table.heads(containing: texts) } ?? []
    }

    mutating func byteCount() -> Int {
        attempt { table throws(SQLiteFailure) in try table.byteCount() } ?? 0
    }

    mutating func put(_ record: Record) {
        let (limits, uses) = (limits, uses.take())
        _ = attempt { table throws(SQLiteFailure) in try table.put(record, limits, after: uses) }
    }

    mutating func remove(_ key: String, variant: String) {
        forget { table throws(SQLiteFailure) in try table.remove(key, variant: variant) }
    }

    mutating func removeAll(for key: String) {
        forget { table throws(SQLiteFailure) in try table.removeAll(for: key) }
    }

    /// Removes the files: faster than emptying them, and no data remains in free pages.
    mutating func removeAll() {
        _ = uses.take()
        guard !file.discard(&table) else { return }
        hasGivenUp = true
        file.reporter.report(.unavailable, "records that must be removed can't be removed")
    }

    /// Writes pending uses and closes the file. Doesn't recreate a missing one.
    mutating func close() {
        guard let hasMoved = table?.hasMoved else { return }
        if !hasMoved { writeUses() }
        file.close(&table)
    }
}

extension RecordStore {
    private mutating func noteUse(of name: RecordName) {
        uses.note(name)
        if uses.isFull { writeUses() }
    }

    private mutating func writeUses() {
        let uses = uses.take()
        _ = attempt { table throws(SQLiteFailure) in try table.note(uses) }
    }

    /// Removes records, or all of them if that fails: on a full disk, a file can be removed but not written.
    private mutating func forget(_ work: (RecordTable) throws(SQLiteFailure) -> Void) {
        if attempt(work) == nil { removeAll() }
    }

    /// `nil` if the work failed, or the file can't be opened.
    private mutating func attempt<Value>(_ work: (RecordTable) throws(SQLiteFailure) -> Value) -> Value? {
        switch outcome(of: work) {
        case .success(let value): return value
        case .failure(let failure):
            file.reporter.report(failure)
            if failure.isDamage {
                file.setAside(&table)
            } else if !failure.isPassing {
                file.close(&table)
            }
            return nil
        }
    }

    /// A separate function, so that no reference to the table remains when it is closed.
    private mutating func outcome<Value>(
        of work: (RecordTable) throws(SQLiteFailure) -> Value
    ) -> Result<Value?, SQLiteFailure> {
        guard let table = openTable() else { return .success(nil) }
        return Result { () throws(SQLiteFailure) in try work(table) }
    }

    private mutating func openTable() -> RecordTable? {
        guard !hasGivenUp else { return nil }
        if let table, !table.hasMoved { return table }
        if table != nil { file.close(&table) }
        table = file.open()
        try? table?.trim(to: limits.all)
        return table
    }
}

/// The records read since the last write, so that reading needn't write.
struct RecentUses {
    /// Maximum uses kept in memory, which is what a kill can lose.
    private static let limit = 512

    private var order: [RecordName: Int] = [:]
    private var count = 0

    var isFull: Bool { order.count >= Self.limit }

    mutating func note(_ name: RecordName) {
        count += 1
        order[name] = count
    }

    /// Returns the records, the least recently used first, and clears them.
    mutating func take() -> [RecordName] {
        defer { order.removeAll(keepingCapacity: true) }
        return order.sorted { $0.value < $1.value }.map(\.key)
    }
}
