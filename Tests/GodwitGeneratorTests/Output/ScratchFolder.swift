@testable import GodwitGenerator

/// A folder for one test. It is removed with the last reference to it.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        let name = "godwit-output-\(UInt64.random(in: .min ... .max))"
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The folder of the output. It doesn't exist at first.
    var output: OutputFolder { OutputFolder("\(path)/Museum") }

    func place(_ name: String) -> String { "\(path)/Museum/\(name)" }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: place(name))), as: UTF8.self)
    }

    func write(_ text: String, to name: String) throws {
        let folder = place(name).split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: place(name)))
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: place(name)) }

    /// All files and folders below the output, hidden ones included.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: "\(path)/Museum").sorted()
    }

    /// Writes files as a run of the generator does.
    @discardableResult
    func generate(
        _ files: [String: String], editedFiles: OutputFolder.EditedFiles = .kept
    ) throws -> OutputChanges {
        let folder = OutputFolder(output.path, editedFiles: editedFiles)
        let changes = try folder.changes(for: files.map { GeneratedFile(path: $0.key, text: $0.value) })
        try folder.apply(changes)
        return changes
    }
}
