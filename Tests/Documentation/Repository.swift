import Godwit

/// The files of this repository.
enum Repository {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The paths of the files in a folder.
    static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            .sorted().map { "\(folder)/\($0)" }
    }

    /// The paths of the Swift files in a folder and below.
    static func sources(in folder: String) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
        return paths.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }

    /// README.md and its like, and everything in docs/.
    static func pages() -> [Page] {
        let folders = ["docs", "docs/decisions", "docs/guides", "docs/recipes"].flatMap { (try? files(in: $0)) ?? [] }
        let names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + folders.filter { $0.hasSuffix(".md") }
        return names.compactMap { name in (try? text(name)).map { Page(name: name, text: $0) } }
    }

    /// Whether there is a file or folder that a link in a page leads to.
    static func has(_ target: String, from page: String) -> Bool {
        let folder = root.appending(path: page).deletingLastPathComponent()
        return FileManager.default.fileExists(atPath: folder.appending(path: target).path)
    }
}
