import GodwitCore

/// A bounded store of records on disk, for one thread at a time. A failure is a record that is not there.
///
/// The file is opened at the first use, and again where it was set aside, removed or replaced meanwhile.
struct RecordRoom {
    private let file: RecordFile
    private let limits: RecordLimits
    private var table: RecordTable?
    private var uses = RecentUses()
    /// What was to be forgotten could not be: nothing is answered from here any more.
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

    /// The only record of a key, or the one of several that is chosen by its head. No other body is read, and no other
    /// record counts as used.
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

    /// Removes the files: faster than emptying them, and nothing of what was in them stays in a free page.
    mutating func removeAll() {
        _ = uses.take()
        guard !file.discard(&table) else { return }
        hasGivenUp = true
        file.reporter.report(.unavailable, "what must be forgotten can't be removed")
    }

    /// Writes down what is to be, and closes the file. Makes no new one where it is gone.
    mutating func close() {
        guard let hasMoved = table?.hasMoved else { return }
        if !hasMoved { writeUses() }
        file.close(&table)
    }
}

extension RecordRoom {
    private mutating func noteUse(of name: RecordName) {
        uses.note(name)
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
            file.reporter.report(failure)
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
        try? table?.trim(to: limits.all)
        return table
    }
}

/// The records that were read since they were last written down, so that a reading need not write.
struct RecentUses {
    /// As many are noted at most before they are written: a kill forgets no more.
    private static let limit = 512

    private var order: [RecordName: Int] = [:]
    private var count = 0

    var isFull: Bool { order.count >= Self.limit }

    mutating func note(_ name: RecordName) {
        count += 1
        order[name] = count
    }

    /// The records, the one that was not used for longest first; none are noted afterwards.
    mutating func take() -> [RecordName] {
        defer { order.removeAll(keepingCapacity: true) }
        return order.sorted { $0.value < $1.value }.map(\.key)
    }
}
