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
