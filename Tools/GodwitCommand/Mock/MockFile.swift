import Godwit
import GodwitTesting

/// The file that `mock` serves: a HAR file, a cassette, an OpenAPI document or a file of routes.
struct MockFile: Sendable {
    /// What tells a changed file from the one that was read.
    private struct Stamp: Equatable {
        let modified: Date?
        let size: Int?
        let number: Int?

        /// `nil` if the file doesn't exist.
        init?(of path: String) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
            modified = attributes[.modificationDate] as? Date
            size = attributes.byteCount
            number = attributes.integer(.systemFileNumber)
        }
    }

    /// Notices changes of a file and of those that it refers to.
    struct Watch {
        private var stamps: [String: Stamp] = [:]

        init(_ file: String) {
            add([file])
        }

        /// Files that are watched already keep the time at which that began.
        mutating func add(_ files: [String]) {
            for file in files where stamps[file] == nil { stamps[file] = Stamp(of: file) }
        }

        /// Whether a file is another one than before. A file that is missing counts as unchanged: editors replace files.
        mutating func hasChanged() -> Bool {
            var hasChanged = false
            for (file, stamp) in stamps {
                guard let now = Stamp(of: file), now != stamp else { continue }
                stamps[file] = now
                hasChanged = true
            }
            return hasChanged
        }
    }

    /// What a file says.
    struct Content: Sendable {
        /// What is served, such as `3 routes`.
        let summary: String
        /// What of the file isn't served, a line each.
        var omissions: [String] = []
        /// The files that were read, as they were before.
        var watch: Watch
        let add: @Sendable (MockRoutes) -> Void
    }

    private let path: String
    private let host: String?

    /// - Parameter host: The host whose exchanges are served; `nil` means all.
    init(_ path: String, host: String?) {
        self.path = path
        self.host = host
    }

    func read() throws(CommandFailure) -> Content {
        let file = URL(filePath: path)
        var watch = Watch(path)
        switch try RecordingFile.kind(of: path) {
        case .routes(let root):
            do throws(RoutesFileError) {
                let routes = try RoutesFile(root, in: file.deletingLastPathComponent())
                return Content(summary: Self.counted(routes.count, "route"), watch: watch) { routes.add(to: $0) }
            } catch {
                throw .file("\(path): \(error)")
            }
        case .document:
            let routes = try DocumentRoutes(path)
            guard routes.count > 0 else {
                throw .file("\(path) has no operations\(routes.omissions.first.map { "; \($0)" } ?? "")")
            }
            watch.add(routes.files)
            let summary = Self.counted(routes.count, "operation")
            return Content(summary: summary, omissions: routes.omissions, watch: watch) {
                routes.add(to: $0)
            }
        case .recording:
            let (cassette, host) = (try RecordingFile.cassette(path), host)
            let count = cassette.exchanges.count { host == nil || $0.request.url.host == host?.lowercased() }
            guard count > 0 else { throw .file("\(path) has no response\(host.map { " of \($0)" } ?? "")") }
            let omissions = cassette.leftOut.map { "left out \($0)" }
            return Content(summary: Self.counted(count, "recorded response"), omissions: omissions, watch: watch) {
                $0.replay(cassette, host: host)
            }
        }
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}

/// A file with recorded exchanges, for several commands.
enum RecordingFile {
    enum Kind {
        /// A HAR file or a cassette.
        case recording
        /// An OpenAPI document.
        case document
        case routes(JSONElement)
    }

    /// The maximum size of a file in bytes.
    private static let sizeLimit = 512 << 20

    static func kind(of path: String) throws(CommandFailure) -> Kind {
        let data = try contents(path)
        guard let root = try? JSONDocument(parsing: data).root else {
            // A recording may lack its end.
            if isArchive(path, data) { return .recording }
            return try unparsed(path, data)
        }
        if root["log"] != nil || root["format"]?.string == "godwit-cassette" { return .recording }
        if root["openapi"] != nil || root["swagger"] != nil { return .document }
        guard root["routes"] != nil else {
            throw .file("\(path) is not a HAR file, a cassette, an OpenAPI document or a file of routes")
        }
        return .routes(root)
    }

    /// A cassette of a HAR file or of a cassette's file, in any order.
    static func cassette(_ path: String) throws(CommandFailure) -> Cassette {
        var options = Cassette.Options()
        options.fileLimit = sizeLimit
        let (file, data) = (URL(filePath: path), try contents(path))
        let isArchive = isArchive(path, data)
        return try CommandFailure.network { () throws(NetworkError) in
            isArchive
                ? try Cassette(har: file, matching: .lenient, options: options)
                : try Cassette(at: file, matching: .lenient, options: options)
        }
    }

    private static func contents(_ path: String) throws(CommandFailure) -> Data {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        if let size = attributes?.byteCount, size > sizeLimit { throw .file("\(path) is larger than 512 MiB") }
        return try SmallFile.read(path)
    }

    private static func isArchive(_ path: String, _ data: Data) -> Bool {
        if let root = try? JSONDocument(parsing: data).root { return root["log"] != nil }
        let start = String(decoding: data.prefix(4096).filter { $0 > 0x20 }.prefix(6), as: UTF8.self)
        return path.hasSuffix(".har") || start == "{\"log\""
    }

    /// What isn't JSON is YAML, or a mistake.
    private static func unparsed(_ path: String, _ data: Data) throws(CommandFailure) -> Kind {
        let start = String(decoding: data.prefix(64 << 10), as: UTF8.self)
        if start.contains(/(?m)^["']?(openapi|swagger)["']?\s*:/) { return .document }
        do {
            _ = try JSONDocument(parsing: data)
        } catch {
            throw .file("\(path) is not valid JSON: \(error)")
        }
        return .recording
    }
}
