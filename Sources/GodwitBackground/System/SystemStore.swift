import GodwitCore

/// The files of a session's jobs: one file per job, replaced in one step.
///
/// A job and its event are in the same file, so that they stay consistent.
struct SystemStore: Sendable {
    /// How many numbers are reserved at a time.
    private static let block: Int64 = 64

    /// A job, and the user's home folder when it was saved.
    private struct Entry: Codable {
        let home: String
        var job: SystemJob
    }

    private let folder: URL
    private let home: String
    private var next: Int64 = 0
    private var end: Int64 = 0

    /// Opens or creates the folder, for this user only. Throws `.file` if that fails.
    ///
    /// - Parameter home: The path of the user's home folder.
    init(_ folder: URL, home: String) throws(NetworkError) {
        self.folder = folder
        self.home = home
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw NetworkError(
                .file(reason: "cannot create \(folder.lastPathComponent)"), phase: .building, underlying: error)
        }
        if let data = try PrivateFile(numberFile).read() { _ = try Self.number(in: data) }
    }

    /// The saved jobs. Files that can't be read, such as those of a later version, are skipped.
    func jobs() throws(NetworkError) -> [SystemJob] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var jobs: [SystemJob] = []
        for name in names where name.hasSuffix(".job") {
            guard let data = try PrivateFile(folder.appending(path: name)).read(),
                var entry = try? JSONDecoder().decode(Entry.self, from: data)
            else { continue }
            if entry.home != home { entry.job.move(from: entry.home, to: home) }
            jobs.append(entry.job)
        }
        return jobs
    }

    func save(_ job: SystemJob) throws(NetworkError) {
        guard let data = try? JSONEncoder().encode(Entry(home: home, job: job)) else { throw Self.damage("job") }
        let file = self.file(of: job.spec.id)
        // The lock keeps the draft of another process.
        try PrivateFile(file).whileLocked { () throws(NetworkError) in
            try PrivateFile(file).replace(with: data, byOnly: file.appendingPathExtension("tmp"))
        }
    }

    func remove(_ id: BackgroundJob.ID) {
        try? FileManager.default.removeItem(at: file(of: id))
    }

    /// A growing number that is never reused, even if this program is killed, and by no other process.
    mutating func number() throws(NetworkError) -> Int64 {
        if next == end {
            next = try PrivateFile(numberFile).change { data throws(NetworkError) in
                let first = try data.map { data throws(NetworkError) in try Self.number(in: data) } ?? 0
                guard let reserved = try? JSONEncoder().encode(first + Self.block) else { throw Self.damage("number") }
                data = reserved
                return first
            }
            end = next + Self.block
        }
        next += 1
        return next
    }

    private static func number(in data: Data) throws(NetworkError) -> Int64 {
        guard let number = try? JSONDecoder().decode(Int64.self, from: data), (0...(.max - 2 * block)).contains(number)
        else { throw damage("number") }
        return number
    }

    private var numberFile: URL { folder.appending(path: "number") }

    private func file(of id: BackgroundJob.ID) -> URL { folder.appending(path: "\(id.uuidString).job") }

    private static func damage(_ what: String) -> NetworkError {
        NetworkError(.file(reason: "the saved \(what) is damaged"), phase: .building)
    }
}

/// The rules for jobs that the system transfers.
package struct SystemRules: Sendable {
    /// The delay after an error of the network or the server.
    package var backoff = Backoff(base: .seconds(2), factor: 2, cap: .seconds(600))
    /// The maximum `Retry-After` that a job waits for; if a server asks for more, the job is tried after this time.
    package var longestRetryAfter = RetryPause.longestInBackground
    /// How many rejections by the server, such as 503, fail a job.
    package var refusalLimit = 8
    /// How long the system may take to report tasks that ended while the program wasn't running.
    package var grace = Duration.seconds(10)
    /// How long a wake lasts if its events seem to have been delivered before the delegate was called.
    package var wakeGrace = Duration.seconds(3)
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The date, for limits that outlast the program.
    package var now: @Sendable () -> Date = { Date() }

    /// The path of the user's home folder. On iOS it changes with an update of the app.
    package var home = ""

    package init() {}
}

/// The `taskDescription` of a system's task, which identifies its job. Contains no secrets.
package struct SystemTaskLabel: Sendable, Hashable, Codable {
    /// Increase it with each change of the format. Tasks with another version are ignored.
    private static let version = 1

    private let version: Int
    package let job: BackgroundJob.ID
    /// The number of the job's task, from 1. Results of earlier tasks are ignored.
    package let attempt: Int

    package init(job: BackgroundJob.ID, attempt: Int) {
        version = Self.version
        self.job = job
        self.attempt = attempt
    }

    /// Parses a description; `nil` if it isn't a label.
    package init?(_ text: String?) {
        guard let text, let label = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
            label.version == Self.version
        else { return nil }
        self = label
    }

    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
