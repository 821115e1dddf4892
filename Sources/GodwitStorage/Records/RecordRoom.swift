import GodwitCore

/// A bounded store of records on disk, for one thread at a time. A failure is a record that is not there.
///
/// The file is opened at the first use, and again where it was set aside, removed or replaced meanwhile.
struct RecordRoom {
    private let file: RecordFile
    private let limit: Int
    private var table: RecordTable?
    private var uses = RecentUses()
    /// What was to be forgotten could not be: nothing is answered from here any more.
    private var hasGivenUp = false

    init(_ file: RecordFile, limit: Int) {
        self.file = file
        self.limit = limit
    }

    mutating func records(for key: String) -> [Record] {
        let found = attempt { table throws(SQLiteFailure) in try table.records(for: key) } ?? []
        if !found.isEmpty { noteUse(of: key) }
        return found
    }

    mutating func keys() -> [String] {
        attempt { table throws(SQLiteFailure) in try table.keys() } ?? []
    }

    mutating func byteCount() -> Int {
        attempt { table throws(SQLiteFailure) in try table.byteCount() } ?? 0
    }

    mutating func put(_ record: Record) {
        let (limit, uses) = (limit, uses.take())
        _ = attempt { table throws(SQLiteFailure) in try table.put(record, limit: limit, after: uses) }
    }

    mutating func remove(_ key: String, variant: String) {
        forget { table throws(SQLiteFailure) in try table.remove(key, variant: variant) }
    }

    mutating func removeAll(for key: String) {
        forget { table throws(SQLiteFailure) in try table.removeAll(for: key) }
    }

    /// Removes the files: faster than emptying them, and nothing of what was in them stays in a free page.
    mutating func removeAll() {
        _ = uses.take()
        if !file.discard(&table) { hasGivenUp = true }
    }

    /// Writes down what is to be, and closes the file. Makes no new one where it is gone.
    mutating func close() {
        guard let hasMoved = table?.hasMoved else { return }
        if !hasMoved { writeUses() }
        file.close(&table)
    }
}

extension RecordRoom {
    private mutating func noteUse(of key: String) {
        uses.note(key)
        if uses.isFull { writeUses() }
    }

    private mutating func writeUses() {
        let uses = uses.take()
        _ = attempt { table throws(SQLiteFailure) in try table.note(uses) }
    }

    /// What must not be found again goes, and where only it cannot go, everything does: a full disk lets a file be
    /// removed, but not be written to.
    private mutating func forget(_ work: (RecordTable) throws(SQLiteFailure) -> Void) {
        if attempt(work) == nil { removeAll() }
    }

    /// Nil where the work failed, or there is no file to be opened.
    private mutating func attempt<Value>(_ work: (RecordTable) throws(SQLiteFailure) -> Value) -> Value? {
        switch outcome(of: work) {
        case .success(let value): return value
        case .failure(let failure):
            if failure.isDamage {
                file.setAside(&table)
            } else if !failure.isPassing {
                file.close(&table)
            }
            return nil
        }
    }

    /// In a function of its own, so that no reference to the table is left when it is to be closed.
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
        try? table?.trim(to: limit)
        return table
    }
}
