import Godwit
import GodwitTesting

/// The file that `mock` serves: a HAR file, a cassette or a file of routes.
struct MockFile: Sendable {
    /// What tells a changed file from the one that was read.
    struct Stamp: Equatable {
        fileprivate let modified: Date?
        fileprivate let size: Int?
        fileprivate let number: Int?
    }

    /// What a file says.
    struct Content: Sendable {
        /// What is served, such as `3 routes`.
        let summary: String
        let add: @Sendable (MockRoutes) -> Void
    }

    private let path: String
    private let host: String?

    /// - Parameter host: The host whose exchanges are served; `nil` means all.
    init(_ path: String, host: String?) {
        self.path = path
        self.host = host
    }

    /// The file as it is now; `nil` if it doesn't exist.
    var stamp: Stamp? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        return Stamp(
            modified: attributes[.modificationDate] as? Date, size: attributes.byteCount,
            number: attributes.integer(.systemFileNumber))
    }

    func read() throws(CommandFailure) -> Content {
        let file = URL(filePath: path)
        switch try RecordingFile.kind(of: path) {
        case .routes(let root):
            do throws(RoutesFileError) {
                let routes = try RoutesFile(root, in: file.deletingLastPathComponent())
                return Content(summary: Self.counted(routes.count, "route")) { routes.add(to: $0) }
            } catch {
                throw .file("\(path): \(error)")
            }
        case .recording:
            let (cassette, host) = (try RecordingFile.cassette(path), host)
            let count = cassette.exchanges.count { host == nil || $0.request.url.host == host?.lowercased() }
            guard count > 0 else { throw .file("\(path) has no response\(host.map { " of \($0)" } ?? "")") }
            return Content(summary: Self.counted(count, "recorded response")) { $0.replay(cassette, host: host) }
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
        case routes(JSONElement)
    }

    /// The maximum size of a file in bytes.
    private static let sizeLimit = 512 << 20

    static func kind(of path: String) throws(CommandFailure) -> Kind {
        let data = try contents(path)
        guard let root = try? JSONDocument(parsing: data).root else {
            // A recording may lack its end.
            if isArchive(path, data) { return .recording }
            return try fail(path, data)
        }
        if root["log"] != nil || root["format"]?.string == "godwit-cassette" { return .recording }
        if root["openapi"] != nil || root["swagger"] != nil { throw .file("\(path) \(unsupported)") }
        guard root["routes"] != nil else {
            throw .file("\(path) is not a HAR file, a cassette or a file of routes")
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

    private static func fail(_ path: String, _ data: Data) throws(CommandFailure) -> Kind {
        if String(decoding: data.prefix(4096), as: UTF8.self).contains(/(?m)^(openapi|swagger):/) {
            throw .file("\(path) \(unsupported)")
        }
        do {
            _ = try JSONDocument(parsing: data)
        } catch {
            throw .file("\(path) is not valid JSON: \(error)")
        }
        return .recording
    }

    private static let unsupported = "is an OpenAPI document, which can't be served yet"
}
