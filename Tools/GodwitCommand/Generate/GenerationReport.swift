import GodwitGenerator

/// What a generation did or would do, for a person.
struct GenerationReport {
    let folder: String
    let changes: OutputChanges
    let generation: Generation

    /// After writing: the counts, then what needs attention.
    var written: String {
        let count = changes.paths(.added).count + changes.paths(.updated).count
        let counts = [
            count == 0 ? nil : "\(Self.files(count)) written", Self.count(changes.paths(.removed), "removed"),
            Self.count(changes.paths(.unchanged), "unchanged"), kept.isEmpty ? nil : "\(kept.count) kept",
        ]
        return head(counts) + attention
    }

    /// Without writing: each file that would change, then the counts.
    var planned: String {
        var lines = ""
        for change in changes.changes {
            switch change.kind {
            case .added: lines += "add     \(change.path)\n"
            case .updated: lines += "update  \(change.path)\n"
            case .removed: lines += "remove  \(change.path)\n"
            case .unchanged, .kept: break
            }
        }
        if lines.isEmpty, changes.updatesManifest { lines = "update  \(OutputFolder.manifestName)\n" }
        let count = changes.paths(.added).count + changes.paths(.updated).count
        let counts = [
            count == 0 ? nil : "\(Self.files(count)) to write", Self.count(changes.paths(.removed), "to remove"),
            Self.count(changes.paths(.unchanged), "unchanged"), kept.isEmpty ? nil : "\(kept.count) kept",
        ]
        return lines + head(counts) + attention
    }

    /// Without writing: what callers must change.
    func breaking(_ sentences: [String]) -> String {
        guard !sentences.isEmpty else { return "\(folder): nothing breaks its callers\n" }
        return sentences.map { "\($0)\n" }.joined()
            + "\(folder): \(sentences.count == 1 ? "1 change breaks" : "\(sentences.count) changes break") its callers\n"
    }

    private func head(_ counts: [String?]) -> String {
        let text = counts.compactMap(\.self).joined(separator: ", ")
        let state = changes.isEmpty ? "up to date" : nil
        return "\(folder): \([state, text].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", "))\n"
    }

    private var attention: String { kept.map { "kept: \($0)\n" }.joined() + notes }

    private var kept: [String] {
        changes.changes.compactMap { change in
            guard case .kept(let reason) = change.kind else { return nil }
            return switch reason {
            case .edited: "\(change.path) was edited; replace it with --force"
            case .editedAndNoLongerGenerated: "\(change.path) was edited, and isn't generated any more"
            case .foreign: "\(change.path) is not a generated file; move it away to get the generated one"
            }
        }
    }

    /// How much there is to check, and where it is explained; without such a page, all of it.
    private var notes: String {
        let page = generation.files.first { $0.path.split(separator: "/").last == "GENERATED.md" }
        guard let page else {
            return generation.notes.map { note in "\(note.place.map { "\($0): " } ?? "")\(note.text)\n" }.joined()
        }
        let guesses = generation.notes.count { $0.kind == .guess }
        let omissions = generation.notes.count - guesses
        let counts = [
            guesses == 0 ? nil : "\(guesses) \(guesses == 1 ? "guess" : "guesses")",
            omissions == 0 ? nil : "\(omissions) \(omissions == 1 ? "omission" : "omissions")",
        ].compactMap(\.self)
        guard !counts.isEmpty else { return "" }
        return counts.joined(separator: ", ") + ": see \(folder)/\(page.path)\n"
    }

    private static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

    private static func count(_ paths: [String], _ what: String) -> String? {
        paths.isEmpty ? nil : "\(paths.count) \(what)"
    }
}
