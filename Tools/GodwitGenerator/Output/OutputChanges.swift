/// What ``OutputFolder/apply(_:)`` does to each file, found out without writing anything.
public struct OutputChanges: Sendable, Hashable {
    /// What happens to a file.
    public enum Kind: Sendable, Hashable {
        /// Written for the first time: its path was free.
        case added
        /// Written again: it was as it had been generated, or edited files are overwritten.
        case updated
        /// Not written, as it has the generated text already.
        case unchanged
        /// Deleted: it was generated earlier, and no longer is.
        case removed
        /// Left alone, for this reason.
        case kept(Reason)
    }

    /// Why a file is left alone.
    public enum Reason: Sendable, Hashable {
        /// A person changed the generated file.
        case edited
        /// A person changed the generated file, which isn't generated any more.
        case editedAndNoLongerGenerated
        /// Something else has the path of a generated file: a file without our mark, a folder, or a symbolic link.
        case foreign
    }

    /// What happens to one file.
    public struct Change: Sendable, Hashable {
        /// The path relative to the folder, with `/`.
        public var path: String
        /// What happens to the file.
        public var kind: Kind
    }

    /// A change for each file, in the order of the paths.
    public internal(set) var changes: [Change] = []

    /// Whether nothing would be written or deleted. Files that are left alone don't count.
    public var isEmpty: Bool { !updatesManifest && writes.isEmpty && removals.isEmpty }

    /// Whether the list of the generated files, ``OutputFolder/manifestName``, changes. Without a changed file it does so
    /// after a merge, or if it was lost.
    public var updatesManifest: Bool { oldManifestText != FileText(manifest.text.utf8) }

    /// The paths of the files with one kind of change.
    public func paths(_ kind: Kind) -> [String] {
        changes.filter { $0.kind == kind }.map(\.path)
    }

    struct Write: Sendable, Hashable {
        var path: OutputPath
        /// With the mark.
        var text: String
    }

    /// What in a caller's code doesn't compile any more, a sentence each without a full stop: `"`Sighting.count` is gone"`. Files
    /// that are left alone don't count, and tests don't.
    public var breakingChanges: [String] {
        func isForCallers(_ path: OutputPath) -> Bool {
            path.text.hasSuffix(".swift") && path.components.first != "Tests" && path.text != "Package.swift"
        }
        let old = former.keys.filter(isForCallers).sorted().compactMap { former[$0] }
        return BreakingChanges(from: old, to: writes.filter { isForCallers($0.path) }.map(\.text)).sentences
    }

    /// The texts that are replaced or deleted.
    var former: [OutputPath: String] = [:]
    var writes: [Write] = []
    var removals: [OutputPath] = []
    var oldManifest = OutputManifest()
    var oldManifestText = FileText([])
    var manifest = OutputManifest()
}

/// What is at a path before anything is written.
enum ExistingFile: Sendable, Hashable {
    case absent
    case file(FileText)
    /// A folder, a symbolic link, or a device.
    case other
    /// Behind something that isn't a folder, such as a symbolic link; with the reason.
    case unreachable(String)
}

extension OutputChanges {
    /// Adds a file that is generated now.
    mutating func add(_ write: Write, existing: ExistingFile, editedFiles: OutputFolder.EditedFiles) {
        let text = FileText(write.text.utf8)
        let digests = oldManifest.digests[write.path] ?? []
        let kind: Kind
        switch existing {
        case .absent: kind = .added
        case .other, .unreachable: kind = .kept(.foreign)
        case .file(let old) where old == text: kind = .unchanged
        case .file(let old) where digests.contains(old.digest): kind = .updated
        case .file(let old):
            let isOurs = !digests.isEmpty || GeneratedMark.isIn(old, at: write.path)
            kind = isOurs ? (editedFiles == .overwritten ? .updated : .kept(.edited)) : .kept(.foreign)
        }
        changes.append(Change(path: write.path.text, kind: kind))
        switch kind {
        case .added, .updated, .unchanged: manifest.digests[write.path] = [text.digest]
        // If the person undoes the edit, the file is updated again.
        case .kept(.edited): manifest.digests[write.path] = digests.isEmpty ? nil : digests
        case .kept, .removed: break
        }
        if kind == .added || kind == .updated { writes.append(write) }
        if kind == .updated, case .file(let old) = existing { former[write.path] = old.string }
    }

    /// Adds a file that was generated earlier, and no longer is.
    mutating func addObsolete(_ path: OutputPath, existing: ExistingFile, editedFiles: OutputFolder.EditedFiles) {
        guard case .file(let old) = existing, let digests = oldManifest.digests[path] else { return }
        if digests.contains(old.digest) || editedFiles == .overwritten {
            changes.append(Change(path: path.text, kind: .removed))
            removals.append(path)
            former[path] = old.string
        } else {
            changes.append(Change(path: path.text, kind: .kept(.editedAndNoLongerGenerated)))
            manifest.digests[path] = digests
        }
    }
}
