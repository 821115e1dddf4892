import Godwit
import GodwitGenerator

/// Where the files go, and whether they are a package of their own there.
struct OutputPlace: Sendable, Hashable {
    let folder: String
    let layout: GenerateArguments.Layout

    /// - Throws: `.usage` if the folder is a package of something else.
    init(_ folder: String, asked layout: GenerateArguments.Layout?) throws(CommandFailure) {
        self.folder = folder
        if let layout {
            self.layout = layout
        } else {
            self.layout = try Self.layout(of: folder)
        }
    }

    private static func layout(of folder: String) throws(CommandFailure) -> GenerateArguments.Layout {
        let generated = try CommandFailure.generation { () throws(GenerationError) in
            try OutputFolder(folder).generatedPaths()
        }
        // What it was before, it stays.
        if !generated.isEmpty { return generated.contains(manifest) ? .package : .folder }
        if exists(folder, manifest) {
            throw .usage(
                UsageError(
                    "\(folder) is another package; name a folder below its Sources with --into", command: "generate"))
        }
        if isInSources(folder) { return .folder }
        let content = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return content.allSatisfy { $0.hasPrefix(".") } ? .package : .folder
    }

    private static let manifest = "Package.swift"

    private static func exists(_ folder: String, _ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(name)")
    }

    /// Whether the nearest package around a folder has it below its sources.
    private static func isInSources(_ folder: String) -> Bool {
        let parts = URL(filePath: folder).standardized.path.split(separator: "/")
        for count in parts.indices.dropFirst().reversed() {
            let package = "/" + parts[..<count].joined(separator: "/")
            if exists(package, manifest) { return parts[count] == "Sources" }
        }
        return false
    }
}
