import GodwitCore

/// The files in which the jobs of a session are kept that the system does: one for each, replaced in one step.
///
/// A job and its event are in one file, so that they cannot come apart.
struct SystemStore: Sendable {
    /// How many numbers are set aside at once.
    private static let block: Int64 = 64

    /// A job, and where the user's files were when it was written.
    private struct Entry: Codable {
        let home: String
        var job: SystemJob
    }

    private let folder: URL
    private let home: String
    private var next: Int64 = 0
    private var end: Int64 = 0

    /// Opens the folder, or makes it, for this user alone. Throws `.file` where that cannot be done.
    ///
    /// - Parameter home: The path of the folder with the user's files.
    init(_ folder: URL, home: String) throws(NetworkError) {
        self.folder = folder
        self.home = home
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw NetworkError(
                .file(reason: "cannot make \(folder.lastPathComponent)"), phase: .building, underlying: error)
        }
        if let data = try PrivateFile(numberFile).read() {
            guard let number = try? JSONDecoder().decode(Int64.self, from: data) else { throw Self.damage("number") }
            next = number
            end = number
        }
    }

    /// The jobs that are there. What cannot be read, as it is of a later version, is left alone.
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
        try PrivateFile(file).replace(with: data, byOnly: file.appendingPathExtension("tmp"))
    }

    func remove(_ id: BackgroundJob.ID) {
        try? FileManager.default.removeItem(at: file(of: id))
    }

    /// A number that grows, and is never given twice: also where this program is killed.
    mutating func number() throws(NetworkError) -> Int64 {
        if next == end {
            guard let data = try? JSONEncoder().encode(end + Self.block) else { throw Self.damage("number") }
            try PrivateFile(numberFile).replace(with: data)
            end += Self.block
        }
        next += 1
        return next
    }

    private var numberFile: URL { folder.appending(path: "number") }

    private func file(of id: BackgroundJob.ID) -> URL { folder.appending(path: "\(id.uuidString).job") }

    private static func damage(_ what: String) -> NetworkError {
        NetworkError(.file(reason: "the \(what) that was written down cannot be used"), phase: .building)
    }
}

/// What the system's jobs are held to. Tests put clocks of theirs here.
package struct SystemRules: Sendable {
    /// How long a job rests when it failed for the network or the server.
    package var backoff = Backoff(base: .seconds(2), factor: 2, cap: .seconds(600))
    /// How often a job is begun again that a server refuses for now, such as with 503.
    package var refusalLimit = 8
    /// How long the system has to tell of tasks that have ended while the program was away.
    package var grace = Duration.seconds(10)
    /// How long a wake lasts whose events seem to have been delivered before the program asked.
    package var wakeGrace = Duration.seconds(3)
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The time of day, for limits that outlast the program.
    package var now: @Sendable () -> Date = { Date() }

    /// The path of the folder with the user's files. On iOS it is another one after an update of the app.
    package var home = ""

    package init() {}
}

/// What a task of the system's says about itself (`taskDescription`): which job it is for. Holds nothing secret.
package struct SystemTaskLabel: Sendable, Hashable, Codable {
    /// To be raised with every change of what it says. A task with another is left alone.
    private static let version = 1

    private let version: Int
    package let job: BackgroundJob.ID
    /// Which of the job's tasks it is, from 1: what an earlier one ends with no longer counts.
    package let attempt: Int

    package init(job: BackgroundJob.ID, attempt: Int) {
        version = Self.version
        self.job = job
        self.attempt = attempt
    }

    /// Reads a description; nil for what is none of ours.
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
