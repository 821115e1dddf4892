/// The folder that each generation is written to, without losing what a person edited in it.
///
/// ```swift
/// let document = SourceFile(name: "museum.yaml", data: try Data(contentsOf: URL(fileURLWithPath: "museum.yaml")))
/// let generation = try Generator().generate(from: .openAPI(document))
/// let folder = OutputFolder("Museum")
/// let changes = try folder.changes(for: generation.files)
/// try folder.apply(changes)
/// for path in changes.paths(.kept(.edited)) { print("kept: \(path)") }
/// ```
///
/// A file that a person edited is left alone, and so is one that something else made: the digests of the generated files are
/// in ``manifestName``. Swift and Markdown files also begin with a line that says so. Nothing is written outside the folder,
/// and nothing through a symbolic link in it. The folder itself can be one.
public struct OutputFolder: Sendable {
    /// What happens to generated files that a person edited.
    public enum EditedFiles: Sendable, Hashable {
        /// Left as they are.
        case kept
        /// Replaced by the generated text, or deleted if they are no longer generated. Files that weren't generated are kept.
        case overwritten
    }

    /// The name of the file that lists the generated files with their digests.
    public static let manifestName = OutputManifest.name

    /// The path of the folder, absolute or relative to the current folder.
    public let path: String
    /// What happens to generated files that a person edited.
    public let editedFiles: EditedFiles

    /// Creates an output folder. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - path: Absolute, or relative to the current folder. Made when the first file is written.
    ///   - editedFiles: What becomes of files that were edited.
    public init(_ path: String, editedFiles: EditedFiles = .kept) {
        self.path = path
        self.editedFiles = editedFiles
    }

    /// The paths of the files that were generated here before; empty if there were none.
    ///
    /// - Throws: `.file` if the folder can't be read or isn't one.
    public func generatedPaths() throws(GenerationError) -> [String] {
        try manifestText().map { OutputManifest(parsing: $0).digests.keys.sorted().map(\.text) } ?? []
    }

    /// Compares the files with those in the folder. Writes nothing.
    ///
    /// - Throws: `.file` if the folder can't be read or isn't one, or if a path leads through a symbolic link; `.invalid` if
    ///   a path isn't usable.
    public func changes(for files: [GeneratedFile]) throws(GenerationError) -> OutputChanges {
        let sorted = try OutputPath.sorted(files)
        var changes = OutputChanges()
        if let text = try manifestText() {
            changes.oldManifestText = text
            changes.oldManifest = OutputManifest(parsing: text)
        }
        for (path, text) in sorted {
            let existing = try existing(at: path)
            if case .unreachable(let reason) = existing {
                throw GenerationError(.file, reason, at: SourcePlace(file: place(of: path.components)))
            }
            let write = OutputChanges.Write(path: path, text: GeneratedMark.marking(text, at: path))
            changes.add(write, existing: existing, editedFiles: editedFiles)
        }
        let obsolete = Set(changes.oldManifest.digests.keys).subtracting(sorted.map(\.path))
        for path in obsolete.sorted() {
            changes.addObsolete(path, existing: try existing(at: path), editedFiles: editedFiles)
        }
        changes.changes.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return changes
    }

    /// Writes and deletes the files. Each is replaced as a whole: a reader never sees half of one.
    ///
    /// If it ends early, the next run continues: the manifest first gets the new digests in addition to the old ones.
    ///
    /// - Throws: `.file` with the path and the reason, such as a full disk.
    public func apply(_ changes: OutputChanges) throws(GenerationError) {
        guard !changes.isEmpty else { return }
        try FileSystem.makeFolders(path)
        if !changes.writes.isEmpty || !changes.removals.isEmpty {
            try writeManifest(changes.oldManifest.merged(with: changes.manifest))
        }
        for path in changes.removals { try remove(path) }
        for write in changes.writes {
            try prepareFolders(of: write.path)
            try FileSystem.write(write.text, to: place(of: write.path.components))
        }
        try writeManifest(changes.manifest)
    }
}

extension OutputFolder {
    private func place(of components: some Sequence<String>) -> String {
        ([path.isEmpty ? "." : path] + components).joined(separator: "/")
    }

    private func manifestText() throws(GenerationError) -> FileText? {
        switch try FileSystem.kind(of: place(of: [])) {
        case nil: return nil
        case .folder: break
        case .link: try FileSystem.requireFolder(place(of: []))
        case .file, .other: throw GenerationError(.file, "this isn't a folder", at: SourcePlace(file: path))
        }
        let manifest = place(of: [OutputManifest.name])
        switch try FileSystem.kind(of: manifest) {
        case nil: return nil
        case .file: return FileText(try FileSystem.read(manifest))
        case .folder, .link, .other:
            throw GenerationError(.file, "the list of generated files isn't a file", at: SourcePlace(file: manifest))
        }
    }

    private func existing(at path: OutputPath) throws(GenerationError) -> ExistingFile {
        for folder in path.folders {
            switch try FileSystem.kind(of: place(of: folder)) {
            case nil: return .absent
            case .folder: continue
            case .link:
                return .unreachable("\(folder.joined(separator: "/")) is a symbolic link, which isn't followed")
            case .file, .other: return .unreachable("\(folder.joined(separator: "/")) isn't a folder")
            }
        }
        let file = place(of: path.components)
        switch try FileSystem.kind(of: file) {
        case nil: return .absent
        case .file: return .file(FileText(try FileSystem.read(file)))
        case .folder, .link, .other: return .other
        }
    }

    /// Makes the folders of a file. Those that exist are looked at again: they can have changed since.
    private func prepareFolders(of path: OutputPath) throws(GenerationError) {
        for folder in path.folders {
            let place = place(of: folder)
            switch try FileSystem.kind(of: place) {
            case nil: try FileSystem.makeFolder(place)
            case .folder: continue
            case .file, .link, .other:
                throw GenerationError(.file, "this isn't a folder", at: SourcePlace(file: place))
            }
        }
    }

    /// Deletes a file, then the folders that are empty without it.
    private func remove(_ path: OutputPath) throws(GenerationError) {
        guard case .file = try existing(at: path) else { return }
        try FileSystem.remove(place(of: path.components))
        for folder in path.folders.reversed() {
            guard FileSystem.removeIfEmpty(place(of: folder)) else { return }
        }
    }

    private func writeManifest(_ manifest: OutputManifest) throws(GenerationError) {
        let file = place(of: [OutputManifest.name])
        let text = manifest.text
        if !text.isEmpty { return try FileSystem.write(text, to: file) }
        if try FileSystem.kind(of: file) != nil { try FileSystem.remove(file) }
    }
}
