#if os(Linux)
import GodwitBackground
import GodwitStorage

/// The database of the queue: jobs, events and sessions. Used by one thread at a time.
///
/// Related changes are one transaction, so that a job and its event stay consistent if the process is killed.
struct TransferStore {
    /// How many jobs or events a query returns.
    static let page = 100
    /// How many sessions are kept. Those without jobs are forgotten if there are more.
    static let sessionLimit = 1000

    /// The new path of a damaged queue; `nil` if the queue was not damaged.
    let damagedQueue: String?

    private let connection: SQLiteConnection
    private let statements: Statements

    private struct Statements {
        let insertJob, setState, setSpec, setPlacement, setProgress: SQLiteStatement
        let spec, placement, owned, unfinished, jobs: SQLiteStatement
        let insertEvent, events, eventJob, deleteEvent, deleteJob: SQLiteStatement
        let putSession, settings, arm, armed, idle, deleteSession: SQLiteStatement
        let putClock, clock: SQLiteStatement
    }

    /// Opens or creates the file. A file that is damaged or not a queue is renamed. Throws `.newer` for a queue of a newer
    /// version, which is left unchanged.
    ///
    /// - Parameters:
    ///   - path: The path of the file, without symbolic links.
    ///   - limit: The most bytes of the file.
    static func open(_ path: String, limit: Int) throws(SQLiteFailure) -> TransferStore {
        let file = DatabaseFile(path)
        var damagedQueue: String?
        for _ in 0..<2 {
            guard file.makePrivate() else { break }
            do throws(SQLiteFailure) {
                return try TransferStore(path: file.path, limit: limit, damagedQueue: damagedQueue)
            } catch {
                guard error.isDamage || error.isMismatch, file.setAside() else { throw error }
                damagedQueue = file.asidePath
            }
        }
        throw .unopened
    }

    private init(path: String, limit: Int, damagedQueue: String?) throws(SQLiteFailure) {
        self.damagedQueue = damagedQueue
        let connection = try SQLiteConnection(path: path, patience: 2000)
        try TransferSchema.prepare(connection)
        let pageSize = try connection.number("PRAGMA page_size")
        _ = try connection.number("PRAGMA max_page_count = \(max(16, limit / max(pageSize, 512)))")
        self.connection = connection
        statements = try Self.statements(on: connection)
    }

    private static func statements(on connection: SQLiteConnection) throws(SQLiteFailure) -> Statements {
        func make(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement { try SQLiteStatement(connection, sql) }
        return Statements(
            insertJob: try make("INSERT INTO jobs (id, session, state, deadline, spec) VALUES (?, ?, 0, ?, ?)"),
            setState: try make("UPDATE jobs SET state = ? WHERE id = ?"),
            setSpec: try make("UPDATE jobs SET spec = ? WHERE id = ?"),
            setPlacement: try make("UPDATE jobs SET placement = ? WHERE id = ?"),
            setProgress: try make("UPDATE jobs SET completed = ?, total = ? WHERE id = ?"),
            spec: try make("SELECT spec FROM jobs WHERE id = ?"),
            placement: try make("SELECT placement FROM jobs WHERE id = ? AND placement IS NOT NULL"),
            owned: try make("SELECT 1 FROM jobs WHERE id = ? AND session = ?"),
            unfinished: try make(
                "SELECT id, session, state, deadline, spec FROM jobs WHERE state <> 2 ORDER BY number"),
            jobs: try make(
                """
                SELECT number, state, spec, completed, total FROM jobs
                WHERE session = ? AND number > ? ORDER BY number LIMIT \(page)
                """),
            insertEvent: try make("INSERT OR IGNORE INTO events (session, job, outcome) VALUES (?, ?, ?)"),
            events: try make(
                """
                SELECT number, job, outcome FROM events
                WHERE session = ? AND number > ? ORDER BY number LIMIT \(page)
                """),
            eventJob: try make("SELECT job FROM events WHERE session = ? AND number = ?"),
            deleteEvent: try make("DELETE FROM events WHERE job = ?"),
            deleteJob: try make("DELETE FROM jobs WHERE id = ?"),
            putSession: try make(
                """
                INSERT INTO sessions (name, settings) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET settings = ?2 WHERE settings <> ?2
                """),
            settings: try make("SELECT settings FROM sessions WHERE name = ?"),
            arm: try make("UPDATE sessions SET awaitsRelaunch = ? WHERE name = ?"),
            armed: try make("SELECT name FROM sessions WHERE awaitsRelaunch = 1"),
            idle: try make("SELECT name FROM sessions WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE session = name)"),
            deleteSession: try make("DELETE FROM sessions WHERE name = ?"),
            putClock: try make("INSERT OR REPLACE INTO clock (id, state) VALUES (1, ?)"),
            clock: try make("SELECT state FROM clock"))
    }
}

// MARK: - Jobs
extension TransferStore {
    /// Saves a job; returns `false` if its ID exists.
    func add(_ spec: TransferSpec, to session: String, deadline: Int64) throws(SQLiteFailure) -> Bool {
        let data = try encoded(spec)
        var isNew = false
        try connection.transaction { () throws(SQLiteFailure) in
            guard try self.spec(of: spec.id) == nil else { return }
            try statements.insertJob.run(
                .text(spec.id.uuidString), .text(session), .integer(Int(deadline)), .blob(data))
            isNew = true
            try statements.arm.run(.integer(RelaunchState.awaited.rawValue), .text(session))
        }
        return isNew
    }

    func set(_ state: StoredJob.State, of id: UUID) throws(SQLiteFailure) {
        try statements.setState.run(.integer(state.rawValue), .text(id.uuidString))
    }

    func set(_ placement: DownloadPlacement, of id: UUID) throws(SQLiteFailure) {
        try statements.setPlacement.run(.blob(try encoded(placement)), .text(id.uuidString))
    }

    func set(_ progress: TransferProgress, of id: UUID) throws(SQLiteFailure) {
        try statements.setProgress.run(
            .integer(Int(progress.completed)), .integer(Int(progress.total ?? -1)), .text(id.uuidString))
    }

    /// The specification of a job.
    func spec(of id: UUID) throws(SQLiteFailure) -> TransferSpec? {
        try statements.spec.rows(.text(id.uuidString)) { decoded(TransferSpec.self, $0.blob(0)) }.first ?? nil
    }

    /// Whether a session has a job, ended or not.
    func has(_ id: UUID, in session: String) throws(SQLiteFailure) -> Bool {
        try !statements.owned.rows(.text(id.uuidString), .text(session)) { _ in true }.isEmpty
    }

    /// The file that a killed process may have moved.
    func placement(of id: UUID) throws(SQLiteFailure) -> DownloadPlacement? {
        try statements.placement.rows(.text(id.uuidString)) { decoded(DownloadPlacement.self, $0.blob(0)) }.first ?? nil
    }

    /// The jobs that have not ended, oldest first.
    func unfinished() throws(SQLiteFailure) -> [StoredJob] {
        try statements.unfinished.rows { row -> StoredJob? in
            guard let id = UUID(uuidString: row.text(0)), let state = StoredJob.State(rawValue: row.integer(2)) else {
                return nil
            }
            return StoredJob(
                id: id, session: row.text(1), state: state, deadline: Int64(row.integer(3)),
                decoded(TransferSpec.self, row.blob(4)))
        }.compactMap(\.self)
    }

    /// A page of a session's jobs, and the number of its last job if there may be more.
    func jobs(of session: String, after number: Int64) throws(SQLiteFailure) -> ([BackgroundJob], next: Int64?) {
        let rows = try statements.jobs.rows(.text(session), .integer(Int(number))) { row in
            (number: Int64(row.integer(0)), job: Self.job(row))
        }
        return (rows.compactMap(\.job), rows.count == Self.page ? rows.last?.number : nil)
    }

    private static func job(_ row: SQLiteRow) -> BackgroundJob? {
        guard let spec = decoded(TransferSpec.self, row.blob(2)) else { return nil }
        let state: BackgroundJob.State =
            switch StoredJob.State(rawValue: row.integer(1)) {
            case .paused: .paused
            case .ended: .ended
            default: .queued
            }
        let total = row.integer(4)
        return BackgroundJob(
            id: spec.id, direction: spec.direction, state: state, url: "\(RedactedURL(spec.url))", path: spec.path,
            completed: Int64(row.integer(3)), total: total < 0 ? nil : Int64(total))
    }
}

// MARK: - The file
extension TransferStore {
    /// Truncates the write-ahead log, which contains overwritten data.
    func tidy() {
        connection.shortenLog(beyond: 0)
    }
}

// MARK: - The clock
extension TransferStore {
    /// The saved clock; `nil` in a new queue.
    func clock() throws(SQLiteFailure) -> QueueClock? {
        try statements.clock.rows { decoded(QueueClock.self, $0.blob(0)) }.first ?? nil
    }

    func put(_ clock: QueueClock) throws(SQLiteFailure) {
        try statements.putClock.run(.blob(try encoded(clock)))
    }
}

// MARK: - Events
extension TransferStore {
    /// Ends a job and saves its event in one step. Removes its fields.
    ///
    /// - Parameter progress: The progress to show in lists.
    func end(
        _ id: UUID, of session: String, _ outcome: BackgroundEvent.Outcome, after progress: TransferProgress? = nil
    ) throws(SQLiteFailure) {
        let data = try encoded(outcome)
        let rest = try spec(of: id).map { spec throws(SQLiteFailure) in try encoded(spec.withoutFields) }
        try connection.transaction { () throws(SQLiteFailure) in
            try set(.ended, of: id)
            if let progress { try set(progress, of: id) }
            if let rest { try statements.setSpec.run(.blob(rest), .text(id.uuidString)) }
            try statements.insertEvent.run(.text(session), .text(id.uuidString), .blob(data))
        }
    }

    /// A page of the events of a session that are not acknowledged.
    func events(of session: String, after number: Int64) throws(SQLiteFailure) -> [BackgroundEvent] {
        try statements.events.rows(.text(session), .integer(Int(number))) { row -> BackgroundEvent? in
            guard let job = UUID(uuidString: row.text(1)),
                let outcome = decoded(BackgroundEvent.Outcome.self, row.blob(2))
            else { return nil }
            return BackgroundEvent(id: Int64(row.integer(0)), job: job, outcome: outcome)
        }.compactMap(\.self)
    }

    /// Removes an event and its job.
    func acknowledge(_ number: Int64, of session: String) throws(SQLiteFailure) {
        try connection.transaction { () throws(SQLiteFailure) in
            let jobs = try statements.eventJob.rows(.text(session), .integer(Int(number))) { $0.text(0) }
            for job in jobs {
                try statements.deleteEvent.run(.text(job))
                try statements.deleteJob.run(.text(job))
            }
        }
    }
}

// MARK: - Sessions
extension TransferStore {
    /// Whether the latest change found no space.
    var isFull: Bool { connection.isFull }

    /// Saves the settings of a session. Returns `false` if too many sessions have jobs.
    ///
    /// - Parameter isOpen: Whether a program has a session open, which must not be forgotten.
    func put(
        _ settings: TransferSettings, for session: String, isOpen: (String) -> Bool
    ) throws(SQLiteFailure) -> Bool {
        let isKnown = try !statements.settings.rows(.text(session)) { _ in true }.isEmpty
        if !isKnown, try connection.number("SELECT count(*) FROM sessions") >= Self.sessionLimit {
            try connection.transaction { () throws(SQLiteFailure) in
                for name in try statements.idle.rows(read: { $0.text(0) }) where !isOpen(name) {
                    try statements.deleteSession.run(.text(name))
                }
            }
            guard try connection.number("SELECT count(*) FROM sessions") < Self.sessionLimit else { return false }
        }
        try statements.putSession.run(.text(session), .blob(try encoded(settings)))
        return true
    }

    func settings(of session: String) throws(SQLiteFailure) -> TransferSettings {
        let all = try statements.settings.rows(.text(session)) { decoded(TransferSettings.self, $0.blob(0)) }
        return all.first.flatMap(\.self) ?? TransferSettings()
    }

    /// Saves whether a session's program should be started when its jobs have ended.
    func setRelaunch(_ isAwaited: RelaunchState, of session: String) throws(SQLiteFailure) {
        try statements.arm.run(.integer(isAwaited.rawValue), .text(session))
    }

    func awaitingRelaunch() throws(SQLiteFailure) -> [String] {
        try statements.armed.rows { $0.text(0) }
    }
}

/// Whether a session's program should be started when its jobs have ended.
enum RelaunchState: Int {
    case done = 0
    case awaited = 1
}

private func encoded(_ value: some Encodable) throws(SQLiteFailure) -> Data {
    let encoder = JSONEncoder()
    // Equal values have equal text, so that unchanged values aren't written.
    encoder.outputFormatting = .sortedKeys
    do { return try encoder.encode(value) } catch { throw .mismatch }
}

private func decoded<Value: Decodable>(_ type: Value.Type, _ data: Data) -> Value? {
    try? JSONDecoder().decode(type, from: data)
}
#endif
